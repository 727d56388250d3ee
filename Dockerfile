# gcnsim in a container: the Debian packages of this source, and nothing of what built them.
#
#   docker build -t gcnsim .
#   docker run --rm -v "$PWD:/work" gcnsim run matmul.json
#
# The image has the tool, the HSA runtime of `gcnsim exec`, documents and samples (/usr/share/gcnsim/samples).
# tests/packages.sh (make check-packages) carries these steps out without docker.
FROM debian:bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends build-essential
WORKDIR /src/gcnsim
COPY debian/control debian/control
RUN apt-get build-dep -y --no-install-recommends ./
COPY . .
RUN dpkg-buildpackage -b -us -uc

FROM debian:bookworm-slim
COPY --from=build /src/gcnsim_*.deb /src/gcnsim-doc_*.deb /src/gcnsim-rocm_*.deb /src/libgcnsim1_*.deb /tmp/packages/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/packages/*.deb libdw1 && \
    rm -rf /tmp/packages /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["gcnsim"]
CMD ["help"]
