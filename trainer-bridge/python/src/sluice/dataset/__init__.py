"""Datasets, and the files of their tokenizers."""
