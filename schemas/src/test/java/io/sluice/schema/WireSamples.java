package io.sluice.schema;

import io.sluice.schema.set.DocumentHash;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/** A record of every wire type, with values that a careless encoding would spoil. */
final class WireSamples {
  private static final long SHARE = 1L << 39;

  private WireSamples() {}

  /** Samples by file name: the type, and the body where a type has several. */
  static Map<String, SpecificRecordBase> all() {
    Map<String, SpecificRecordBase> samples = new LinkedHashMap<>();
    samples.put("Document", document());
    samples.put("EndOfDomain", new EndOfDomain("java", 1, 123_456_789_012L));
    samples.put("TokenBlock", block());
    samples.put("TokenBlock.masked", maskedBlock());
    samples.put("BlockLineage", lineage());
    samples.put("Supply", supply());
    samples.put("Supply.ledger", Supply.newBuilder(supply()).setLedger(ledger()).build());
    samples.put("Segment", segment());
    samples.put("Segment.inPlace", inPlace());
    samples.put("ShuffleRelease", new ShuffleRelease("d", Long.MIN_VALUE, "java", 1L << 40));
    samples.put(
        "DocumentSet",
        new DocumentSet(
            true,
            "a takedown",
            1_000L,
            List.of(
                new DomainDocuments(
                    "java", ByteBuffer.wrap(DocumentHash.of("java", "a/b.java:7"))))));
    samples.put(
        "TokenDocument",
        new TokenDocument(
            "a/b.idx:7",
            "cl100k_base",
            4,
            ByteBuffer.wrap(new byte[] {-1, 0, 1, 0, 7, 0, 0, 0}),
            "/data/a/b.idx",
            7L,
            Map.of("source", "crawl")));
    samples.put("DocumentRange", range());
    samples.put(
        "RangeVerdict",
        new RangeVerdict("d", Long.MIN_VALUE, "java", 1L << 40, "/data/a.jsonl is missing"));
    samples.put(
        "DocumentsForgotten",
        new DocumentsForgotten(
            "d", Long.MIN_VALUE, "java", 1L << 40, ByteBuffer.wrap(DocumentHash.of("java", "a"))));
    samples.put(
        "PurgedDocument",
        new PurgedDocument(
            "a/b.txt",
            List.of(
                new PurgedReading(Long.MIN_VALUE, false, 9, List.of(4, 5), Long.MAX_VALUE),
                new PurgedReading(7L, true, 0, List.of(), 0L))));
    samples.put(
        "Purge",
        new Purge(
            "id-2",
            "replacing",
            List.of("00ff"),
            List.of("java"),
            List.of("d"),
            List.of(new PurgedTopic("sluice.corpus.java", "id-1", true)),
            List.of("d"),
            1L << 40));
    samples.put("PreparingStopped", new PreparingStopped("id-2", "d"));
    samples.put(
        "IngestedFile",
        new IngestedFile(
            "java", "/data/a.jsonl", "id-1", "lines", 9L, 8L, ByteBuffer.wrap(new byte[] {1, -1})));
    samples.put(
        "IngestProgress",
        new IngestProgress(
            "java", "id-1", true, 1L << 40, "/data", "x-9_AbC", "host-1", 1L << 33, -1L, 1L << 35));
    samples.put("DatasetSpec", dataset());
    samples.put(
        "TokenizerPart",
        new TokenizerPart(
            "00ff".repeat(16), (1 << 19) + 3, 1, ByteBuffer.wrap(new byte[] {'}', '\n', -1})));
    samples.put("RunCommand.ApplyRun", command(new ApplyRun(run(), "x-9_AbC", null, false, false)));
    samples.put(
        "RunCommand.ApplyRun.fork",
        command(new ApplyRun(run(), "x-9_AbC", new RunOrigin("r-0", 1, snapshot()), true, true)));
    samples.put("RunCommand.ChangeRunState", command(new ChangeRunState("paused", "a spike")));
    samples.put(
        "RunCommand.SetWeights",
        command(new SetWeights(List.of(new DomainShare("java", 0.3)), true, "by hand")));
    samples.put(
        "RunCommand.ReviseRun",
        command(
            new ReviseRun(
                run(),
                List.of(new DomainShare("prose", 0.125)),
                "more prose",
                12L,
                List.of(new DomainInheritance("poems", "prose", 0.25)))));
    samples.put(
        "RunCommand.RewindRun", command(new RewindRun(1, run(), snapshot(), 140L, "a spike")));
    samples.put("RunCommand.DrainRun", command(new DrainRun(50L, "an upgrade")));
    samples.put("ControlRecord.RunStarted", control(0, -1, started()));
    samples.put(
        "ControlRecord.RunStarted.fork",
        control(
            0,
            -1,
            new RunStarted(
                run(), 1, "", List.of(0L, 0L), new RunOrigin("r-0", 1, snapshot()), null)));
    samples.put("ControlRecord.MixtureGrant", control(1, 17, grant(decision())));
    samples.put("ControlRecord.MixtureGrant.repeated", control(2, 18, grant(null)));
    samples.put(
        "ControlRecord.RunStateChanged",
        control(3, 19, new RunStateChanged("failed", "c-1", false)));
    samples.put(
        "ControlRecord.RunStateChanged.refused",
        control(3, 19, new RunStateChanged("running", "c-2", true)));
    samples.put("ControlRecord.MixtureGrant.capped", control(2, 18, capped()));
    ControlRecord digested = control(2, 18, grant(null));
    digested.setBasedOnDigest(-7_046_029_254_386_353_131L);
    samples.put("ControlRecord.MixtureGrant.digest", digested);
    samples.put(
        "ControlRecord.RunRevised", control(4, 20, new RunRevised("c-2", run(), snapshot(), 140L)));
    samples.put("ControlRecord.LogSnapshot", control(5, 21, logged(null)));
    samples.put(
        "ControlRecord.LogSnapshot.fork",
        control(5, 21, logged(new ForkPoint("r-0", 1, 30L, 480L))));
    samples.put("TrainerAttached", attached());
    samples.put("TrainerFeedback", feedback());
    samples.put(
        "TrainerProgress",
        new TrainerProgress("r-1", 2, 150L, 151L, 8, 7, -1L, 1_000L, null, null));
    samples.put(
        "TrainerProgress.exposed",
        new TrainerProgress("r-1", 2, 150L, 151L, 8, 7, -1L, 1_000L, exposed(), null));
    samples.put(
        "TrainerProgress.read",
        new TrainerProgress(
            "r-1",
            2,
            150L,
            151L,
            8,
            7,
            -1L,
            1_000L,
            null,
            new ReadBatches(149L, List.of(-1L, 7L))));
    samples.put("RunStatus", status());
    samples.put("EmissionWait", new EmissionWait("r-1", 2, "for ordinal 7 of domain java", 1_000L));
    samples.put("SealingWait", new SealingWait("small", "/data is full", 1_000L));
    samples.put("DeadLetter", deadLetter());
    samples.put("LetterRetry", new LetterRetry(List.of(3L, 1L << 40), 2_000L));
    samples.put("RefineSpec", refineSpec());
    samples.put("RefineRound", new RefineRound(1L << 33, 1L << 40, List.of(0L, 1L << 40)));
    samples.put(
        "RefineProgress",
        new RefineProgress(
            Long.MIN_VALUE,
            9L,
            List.of(0L, 1L << 40),
            Map.of("kept", 7L),
            List.of(new RefinedDomain("web-science", 7L, 1L << 40)),
            Map.of("perplexity", "borders moved 3 times"),
            true));
    samples.put(
        "DroppedDocument",
        new DroppedDocument("web", 1L << 40, "a/b.txt:7", "near duplicate", "web:12", 0.875));
    samples.put(
        "BordersMoved", new BordersMoved("perplexity", 1L << 40, List.of(12.5, Double.MAX_VALUE)));
    samples.put(
        "RunBundle",
        new RunBundle("r", "r.x-9_AbC", "1.0.0", 2, 1, 1, 1L << 40, 1L << 33, 7L, 1L << 35));
    samples.put(
        "BundledBatch",
        new BundledBatch(1L << 40, 3, List.of(0, 1 << 17), List.of(Long.MIN_VALUE, -1L)));
    samples.put(
        "WholeStream", new WholeStream("r.1", "r", 2, "log-1", 24L, -5L, "id-1", List.of(8L, 9L)));
    return samples;
  }

  private static BlockLineage lineage() {
    return BlockLineage.newBuilder()
        .setFingerprint(-1L)
        .setDomain("java")
        .setHeldOut(true)
        .setLane(1)
        .setOrdinal(1L << 33)
        .setHashes(bytes(1, 2, 3, 4, 5, 6, 7, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0x80))
        .setContents(bytes(9, 9, 9, 9, 9, 9, 9, 9, 8, 8, 8, 8, 8, 8, 8, 8))
        .setStarts(List.of(131_072, 0))
        .setTokens(List.of(1, 63))
        .setNames(List.of("a/b.md#1", "Gr\u00f6\u00dfe"))
        .setWhole(false)
        .build();
  }

  private static RunSnapshot snapshot() {
    return RunSnapshot.newBuilder()
        .setBatch(120)
        .setNextSequence(1_920)
        .setWeightsVersion(3)
        .setRound(2)
        .setBaseRound(1)
        .setWeights(List.of(SHARE, SHARE))
        .setPinned(true)
        .setDrainTo(130)
        .setPolicyState(bytes(0x01, 0xFF))
        .setPlanError(List.of(-1L, 1L))
        .setOrdinals(List.of(960L, 960L))
        .setMasked(List.of(1))
        .build();
  }

  private static TrainerAttached attached() {
    return TrainerAttached.newBuilder()
        .setRunId("r-1")
        .setTimeline(1)
        .setBatch(150)
        .setWorldSize(8)
        .setRank(7)
        .setReplica(1)
        .setHolder("9f2c")
        .setHost("gpu-7")
        .setPid(4_294_967_296L)
        .setMetrics(List.of("eval_loss"))
        .setTimeMillis(1_000)
        .build();
  }

  private static Document document() {
    return Document.newBuilder()
        .setId("a/b.md#1")
        .setText("Größe: 3 µm, 😀\n\t\"quoted\" \\ \u0000 end")
        .setOrigin("a/b.md")
        .setLine(Long.MAX_VALUE)
        .setProperties(Map.of("license", "Apache-2.0"))
        .setTrained(List.of(7, 12))
        .build();
  }

  private static TokenBlock block() {
    return TokenBlock.newBuilder()
        .setFingerprint(-1)
        .setDomain("prose")
        .setLane(0)
        .setOrdinal(1L << 40)
        .setTokenWidth(2)
        .setTokens(bytes(0x00, 0x00, 0xFF, 0xFF, 0x34, 0x12, 0x00, 0x80, 0x01, 0x00))
        .setDocumentLengths(List.of(2, 3))
        .setDocumentIds(List.of("a", "b"))
        .setTrainedTokens(4)
        .setProducedAtMillis(1_767_225_600_001L)
        .build();
  }

  private static TokenBlock maskedBlock() {
    return TokenBlock.newBuilder(block())
        .setLane(3)
        .setTokenWidth(4)
        .setTokens(bytes(0x01, 0x00, 0x01, 0x00, 0xFF, 0xFF, 0xFF, 0x7F))
        .setDocumentLengths(List.of(2))
        .setDocumentIds(List.of(""))
        .setTrainedTokens(0)
        .setLossMask(List.of(0, 1))
        .setContentType("image/png")
        .setPayload(bytes(0x89, 0x50))
        .build();
  }

  private static Ledger ledger() {
    LedgerCounts documents =
        LedgerCounts.newBuilder()
            .setIn(31)
            .setBlocks(1)
            .setHeldOut(2)
            .setBuffered(3)
            .setDuplicates(4)
            .setForgotten(5)
            .setDeadLetters(16)
            .build();
    LedgerCounts tokens =
        LedgerCounts.newBuilder()
            .setIn(1L << 40)
            .setBlocks((1L << 40) - 60)
            .setPadding(10)
            .setHeldOut(20)
            .setBuffered(30)
            .build();
    return new Ledger(documents, tokens);
  }

  private static RefineSpec refineSpec() {
    return new RefineSpec(
        "topics",
        List.of("web"),
        "{input}-{topic}",
        List.of("web-science", "web-other"),
        List.of(new RefineStep("topic", "/models/topic", "00ff", Map.of("part", "2000"))),
        Long.MIN_VALUE);
  }

  private static Supply supply() {
    return Supply.newBuilder()
        .setDataset("d")
        .setFingerprint(Long.MIN_VALUE)
        .setDomain("java")
        .setLane(1)
        .setBlocks(10)
        .setEvalBlocks(2)
        .setTrainedTokens(20_470)
        .setDocuments(7)
        .setEnded(true)
        .setShuffled(3)
        .setPadding(30)
        .build();
  }

  private static Segment segment() {
    return Segment.newBuilder()
        .setDataset("d")
        .setFingerprint(Long.MIN_VALUE)
        .setGeneration(1)
        .setDomain("java")
        .setLane(1)
        .setFirst(1L << 40)
        .setRows(3)
        .setEnded(true)
        .setData(new StoredPart("d/" + "0f".repeat(32) + ".rows", 1L << 33, 48L, "f0".repeat(32)))
        .setSide(new StoredPart("d/" + "1e".repeat(32) + ".side", 64L, 500L, "e1".repeat(32)))
        .setTimeMillis(1_000L)
        .build();
  }

  private static Segment inPlace() {
    return Segment.newBuilder(segment())
        .setData(new StoredPart("file:///data/code_text_document.bin", 514L, 1_030L, ""))
        .setStride(256)
        .setFile(new FileInPlace(1L << 40, "1764140000123", "2d".repeat(32)))
        .build();
  }

  private static DocumentRange range() {
    return DocumentRange.newBuilder()
        .setLocation("/data/a/b.jsonl.gz")
        .setSource("a/b.jsonl.gz")
        .setFormat("jsonl")
        .setTextField("body")
        .setIdField("key")
        .setPromptField("question")
        .setTrainedField("spans")
        .setMaxDocument(32 << 20)
        .setTokenizer("cl100k_base")
        .setTokenType("uint16")
        .setTokensField("input_ids")
        .setFileBytes(1L << 40)
        .setFileVersion("2026-11-25T02:03:04Z")
        .setFirst(1L << 33)
        .setRecords(1 << 20)
        .setBegin(1L << 41)
        .setBytes(1L << 20)
        .setHash(ByteBuffer.wrap(new byte[] {1, -1}))
        .build();
  }

  private static DatasetSpec dataset() {
    return DatasetSpec.newBuilder()
        .setName("d")
        .setFingerprint(0x0123_4567_89AB_CDEFL)
        .setTokenizer("file:/models/tokenizer.json")
        .setTokenizerVersion(2)
        .setTokenizerSha256("00ff".repeat(16))
        .setBos("<|startoftext|>")
        .setEos("<|endoftext|>")
        .setBeginOfDocument(100_256)
        .setVocabulary(100_277)
        .setTokenWidth(4)
        .setEndOfDocument(100_257)
        .setPadding(100_258)
        .setSequenceLength(2_048)
        .setPacking("best-fit")
        .setPackingWindow(64)
        .setPadDocumentsTo(16)
        .setDocumentIds("hashes")
        .setFimRate(0.5)
        .setFimSpm(0.25)
        .setFimTokens(List.of(100_258, 100_260, 100_259))
        .setShuffleBuffer(1_000)
        .setShuffleWaitMillis(30_000)
        .setSeed(-7)
        .setHeldOut(0.015625)
        .setHeldOutTokens(65_536)
        .setHeldOutRule(2)
        .setSources(
            List.of(
                new DatasetSource(
                    "/data/*.jsonl",
                    "jsonl",
                    "body",
                    "url",
                    List.of("lang"),
                    false,
                    false,
                    "java",
                    "",
                    Map.of(),
                    "",
                    "json",
                    "",
                    "",
                    ""),
                new DatasetSource(
                    "",
                    "auto",
                    "text",
                    "id",
                    List.of(),
                    false,
                    true,
                    "prose",
                    "",
                    Map.of(),
                    "news",
                    "confluent-avro",
                    "broker:9093",
                    "/etc/source.properties",
                    "https://registry:8081"),
                new DatasetSource(
                    "s3://b/k",
                    "auto",
                    "text",
                    "id",
                    List.of(),
                    true,
                    false,
                    "",
                    "from",
                    Map.of("Prose", "prose"),
                    "",
                    "json",
                    "",
                    "",
                    "")))
        .setStore("file:///data/segments")
        .setLanes(2)
        .setDomains(List.of("java", "prose"))
        .build();
  }

  private static RunSpec run() {
    return RunSpec.newBuilder()
        .setRun("r")
        .setDataset("d")
        .setFingerprint(42)
        .setTokenizer("bytes")
        .setVocabulary(259)
        .setSequenceLength(128)
        .setDomains(List.of("java", "prose"))
        .setLanes(1)
        .setStreamPartitions(4)
        .setBatchSizes(List.of(new BatchSize(1L, 16), new BatchSize(1_001L, 32)))
        .setBatches(60)
        .setSeed(Long.MAX_VALUE)
        .setInitialWeights(List.of(SHARE + 1, SHARE - 1))
        .setPolicy("velocitune")
        .setPolicySettings(Map.of("targets.java", "1.25"))
        .setUpdateEvery(10)
        .setLag(1)
        .setOnTimeout("keep-weights")
        .setTimeoutMillis(1)
        .setLead(3)
        .setSmoothing(Map.of("new-weight", "0.1"))
        .setWhenBehind("redistribute")
        .setEpochs(List.of(1, 0))
        .setMetrics(metrics())
        .setRowLengths(List.of(new RowLength(1L, 64), new RowLength(2_001L, 128)))
        .setMasks(List.of(new DocumentMask(121L, "0f".repeat(32), 3, "a takedown")))
        .setDocumentIds("hashes")
        .setDelivery("derived")
        .setPriority(20)
        .setTokensPerSecond(2_000_000)
        .setStreamBytes(1L << 34)
        .build();
  }

  private static List<RequiredMetric> metrics() {
    return List.of(
        RequiredMetric.newBuilder().setName("eval_loss").setEvery(10).setAtStepZero(true).build(),
        RequiredMetric.newBuilder()
            .setName("gradient_alignment")
            .setEvery(0)
            .setOf(List.of("java", "prose"))
            .setTargets(List.of("prose"))
            .setTokens(1_032)
            .build());
  }

  private static RunCommand command(Object body) {
    return new RunCommand("c-1", "r-1", 1_000L, body);
  }

  private static ControlRecord control(long serial, long basedOn, Object body) {
    return new ControlRecord("r-1", 0, serial, basedOn, "w-1", 1_000L, "round 1", body, null);
  }

  private static RunStarted started() {
    return new RunStarted(run(), 1, "x-9_AbC", List.of(0L, 5L), null, snapshot());
  }

  private static LogSnapshot logged(@Nullable ForkPoint origin) {
    return LogSnapshot.newBuilder()
        .setDigest(-2)
        .setPlanVersion(2)
        .setStreamTopicId("x-9_AbC")
        .setSpec(run())
        .setState("paused")
        .setWhy("a spike")
        .setSnapshot(snapshot())
        .setHeardTo(119)
        .setRounds(3)
        .setOpenings(List.of(new TimelineOpening(0, 0L, 0L), new TimelineOpening(2, 60L, 960L)))
        .setRevisions(List.of(new RevisedVersion(60L, 2)))
        .setGoverning(
            List.of(new GoverningEntry(0L, 0L, 0L, 0L), new GoverningEntry(4L, 21L, 60L, 960L)))
        .setOrigin(origin)
        .setAnswered(List.of("c-1", "c-2"))
        .setEarlier(List.of(new EarlierSnapshot(40L, 2L, 9L)))
        .build();
  }

  private static MixtureGrant grant(@Nullable RoundDecision decision) {
    return MixtureGrant.newBuilder()
        .setAfter(10)
        .setTo(12)
        .setFirstSequence(160)
        .setWeightsVersion(2)
        .setBatchSizes(List.of(16, 16))
        .setCounts(List.of(9, 7, 8, 8))
        .setEffectiveWeights(List.of(SHARE, SHARE))
        .setDecision(decision)
        .build();
  }

  private static MixtureGrant capped() {
    return MixtureGrant.newBuilder(grant(null)).setSupply(List.of(100L, 80L)).build();
  }

  private static RoundDecision decision() {
    return RoundDecision.newBuilder()
        .setRound(1)
        .setStep(10)
        .setKept(false)
        .setAttempt("n-1")
        .setWeights(List.of(SHARE, SHARE))
        .setPolicyState(bytes(0x01, 0xFF))
        .setValues(List.of(0.1, Double.MIN_VALUE))
        .build();
  }

  private static TrainerFeedback feedback() {
    return TrainerFeedback.newBuilder()
        .setRunId("r-1")
        .setTimeline(2)
        .setStep(150)
        .setTrainerStep(151)
        .setAttempt("n-1")
        .setWorldSize(8)
        .setRank(7)
        .setMetric("eval_loss")
        .setEntries(
            List.of(new DomainMeasure("java", 0.1 + 0.2, 3L), new DomainMeasure("prose", -0.0, 1L)))
        .setTimeMillis(1_000)
        .build();
  }

  private static ExposedWait exposed() {
    return new ExposedWait(600_000L, 301L, 0L, 12L, Long.MAX_VALUE, 7L, 1L);
  }

  private static RunStatus status() {
    return RunStatus.newBuilder()
        .setRunId("r-1")
        .setRun("r")
        .setPhase("running")
        .setTimeline(0)
        .setGranted(12)
        .setProgress(10)
        .setWeightsVersion(2)
        .setWaiting("feedback of step 10")
        .setRepeatedFeedback(3)
        .setLastRepeated("step 10, rank 0 of 1: the step is decided")
        .setTrainers(List.of("rank 0 of 1"))
        .setExposed(List.of(exposed()))
        .setTimeMillis(1_000)
        .build();
  }

  private static DeadLetter deadLetter() {
    RefusedSource source =
        RefusedSource.newBuilder()
            .setLocation("/data/a.jsonl")
            .setId("data/a.jsonl")
            .setNamed(true)
            .setByReference(false)
            .setFormat("auto")
            .setTextField("content")
            .setIdField("id")
            .setPromptField("prompt")
            .setTrainedField(null)
            .setPropertyFields(List.of("lang"))
            .setMaxDocument(1 << 20)
            .setCorpus("corpus-1")
            .setOffset(7)
            .build();
    return new DeadLetter(
        "ingest", "a.jsonl", -1, 3L, "not JSON", bytes(0x7B, 0xFF), 1_000L, source);
  }

  private static ByteBuffer bytes(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length);
    for (int value : values) {
      bytes.put((byte) value);
    }
    return bytes.flip();
  }
}
