# docker build --tag lightsanim .
# docker run --rm --volume .:/pictures --user "$(id -u)" lightsanim make sun.png moon.png -o out.gif
FROM python:3.13-slim
RUN --mount=type=bind,target=/source pip install --no-cache-dir --root-user-action ignore /source
RUN useradd --uid 1000 lightsanim && install --directory --owner lightsanim /pictures
USER 1000
WORKDIR /pictures
ENTRYPOINT ["lightsanim"]
CMD ["--help"]
