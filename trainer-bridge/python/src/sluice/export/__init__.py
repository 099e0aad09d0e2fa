"""Writes what a run was, batch by batch, into TensorBoard, Weights & Biases or MLflow."""
