package io.sluice.lab.reproduce.corpus;

/** A document of a corpus. */
public record Passage(String id, String text) {}
