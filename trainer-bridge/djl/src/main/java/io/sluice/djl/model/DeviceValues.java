package io.sluice.djl.model;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.nn.Parameter;
import ai.djl.training.ParameterStore;

/** The parameters' arrays on the device of one forward pass. */
record DeviceValues(ParameterStore store, Device device, boolean training) {
  NDArray of(Parameter parameter) {
    return store.getValue(parameter, device, training);
  }
}
