"""Job scripts inside other people's documents: found, given to the engine, and told on the document's lines."""
