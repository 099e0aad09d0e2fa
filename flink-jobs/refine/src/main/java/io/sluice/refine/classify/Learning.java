package io.sluice.refine.classify;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Multinomial logistic regression by stochastic gradient descent.
 *
 * <p>Every text is learned from once an epoch, in an order that the seed gives. Errors count by the
 * inverse of how many texts their label has, so that rare labels are not drowned. Each bucket has a
 * learning rate of its own by Adagrad, from the squares of its gradients over all labels. The L2
 * penalty is paid by the weights of the text's own buckets, in each step: what is learned from
 * often pays often. There is no bias, since labels count the same.
 */
final class Learning {
  private static final double RATE = .3;
  private static final double PENALTY = 1e-5;

  private final TrainingSettings settings;
  private final int labels;
  private final List<FeatureVector> texts;
  private final float[] weights;
  private final float[] squares;
  private final boolean[] learned;

  /** Weights of 0. */
  Learning(TrainingSettings settings, int labels, List<FeatureVector> texts) {
    this.settings = settings;
    this.labels = labels;
    this.texts = List.copyOf(texts);
    this.weights = new float[settings.buckets() * labels];
    this.squares = new float[settings.buckets()];
    this.learned = new boolean[settings.buckets()];
    int[] frequency = new int[settings.buckets()];
    for (FeatureVector text : texts) {
      for (int i = 0; i < text.size(); i++) {
        frequency[text.bucket(i)]++;
      }
    }
    for (int bucket = 0; bucket < frequency.length; bucket++) {
      learned[bucket] = frequency[bucket] >= settings.rarest();
    }
  }

  /**
   * Weights of labels, bucket by bucket, after all epochs.
   *
   * @param truth each text's label
   */
  float[] learn(int[] truth) {
    double[] importance = importance(truth);
    int[] order = new int[truth.length];
    Arrays.setAll(order, i -> i);
    Random random = new Random(settings.seed());
    double[] errors = new double[labels];
    for (int epoch = 0; epoch < settings.epochs(); epoch++) {
      shuffle(order, random);
      for (int text : order) {
        Softmax.probabilities(weights, texts.get(text), errors);
        errors[truth[text]] -= 1;
        step(texts.get(text), errors, importance[truth[text]]);
      }
    }
    return weights;
  }

  private void step(FeatureVector text, double[] errors, double importance) {
    double square = 0;
    for (int label = 0; label < labels; label++) {
      errors[label] *= importance;
      square += errors[label] * errors[label];
    }
    for (int i = 0; i < text.size(); i++) {
      int bucket = text.bucket(i);
      if (!learned[bucket]) {
        continue;
      }
      double value = text.value(i);
      squares[bucket] += (float) (value * value * square);
      double rate = RATE / Math.sqrt(squares[bucket] + 1e-12);
      int first = bucket * labels;
      for (int label = 0; label < labels; label++) {
        double weight = weights[first + label];
        weights[first + label] -= (float) (rate * (value * errors[label] + PENALTY * weight));
      }
    }
  }

  private double[] importance(int[] truth) {
    int[] counts = new int[labels];
    for (int label : truth) {
      counts[label]++;
    }
    double[] importance = new double[labels];
    for (int label = 0; label < labels; label++) {
      importance[label] = truth.length / ((double) labels * Math.max(1, counts[label]));
    }
    return importance;
  }

  private static void shuffle(int[] order, Random random) {
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int other = order[j];
      order[j] = order[i];
      order[i] = other;
    }
  }
}
