# The 'sluice' command. Build it with the folder of the tarball as context.
ARG BASE=eclipse-temurin:17-jre
FROM ${BASE} AS unpacked
COPY sluice-*.tar.gz /tmp/sluice.tar.gz
RUN mkdir /opt/sluice && tar -xzf /tmp/sluice.tar.gz -C /opt/sluice --strip-components=1

FROM ${BASE}
COPY --from=unpacked /opt/sluice /opt/sluice
RUN install -d -o 10001 -g 10001 /var/lib/sluice

# What a command keeps for itself lies where it may always write.
ENV PATH=/opt/sluice/bin:${PATH} \
    SLUICE_HOME=/tmp/sluice/home \
    SLUICE_CACHE=/tmp/sluice/cache \
    DJL_CACHE_DIR=/tmp/djl
USER 10001:10001
ENTRYPOINT ["/opt/sluice/bin/sluice"]
