# The 'sluice' command with PyTorch's libraries, for the reference trainer. Build it with the folder of
# their jar, which lies beside the tarball, as context.
ARG BASE=sluice:0.1.0-SNAPSHOT
FROM ${BASE}
COPY pytorch-native-cpu-*-linux-x86_64.jar /opt/sluice/lib/
