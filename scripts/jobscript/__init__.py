"""The reader's own script: the engine is JavaScript, in docs/assets/your-script; here are its data and its commands."""
