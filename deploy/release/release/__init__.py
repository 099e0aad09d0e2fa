"""Makes what is handed out of what Maven has built, byte for byte the same of the same commit."""
