"""The reader's own script: the engine is JavaScript (docs/assets/your-script); here are its data and its command line."""
