"""Blocks as rows of files that trainers read where they lie: their bytes, and what goes by them."""
