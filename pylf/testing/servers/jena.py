"""Jena's ARQ, of Debian's package ``libapache-jena-java``, behind a small HTTP server of our own (``ArqServer.java``):
Debian packages no Fuseki. Its graphs are in memory; literals come back as they were loaded.

SELECT and ASK are answered in JSON, CONSTRUCT in N-Triples, whatever the request accepts. The syntax is SPARQL 1.1
without Jena's extensions.
"""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path
from urllib.parse import quote

from pylf.testing.servers import web
from pylf.testing.servers.program import Options, Program

_SOURCE = Path(__file__).with_name("ArqServer.java")
_JARS = Path("/usr/share/java")
#: all that ARQ needs and no more: the folder as a whole has jars that clash
_CLASSPATH = (
    *("jena-arq", "jena-core", "jena-base", "jena-iri", "jsonld-java", "titanium-json-ld", "jakarta.json-api"),
    *("jackson-core", "jackson-databind", "jackson-annotations", "httpclient", "httpcore", "thrift", "protobuf"),
    *("guava", "dexx.collection", "gson", "commons-lang3", "commons-codec", "commons-cli", "commons-compress"),
    *("commons-csv", "commons-io", "slf4j-api", "slf4j-simple"),
)
_CORE = "jena-core"
#: where Debian's jar has the messages of its XML Schema checker, and where that looks for them
_MESSAGES, _MESSAGES_WANTED = "org/apache/jena/ext/xerces/", "xerces/"
_CLASSES = "classes"
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def _missing() -> str | None:
    if shutil.which("java") is None or shutil.which("javac") is None:
        return (
            "there is no Java compiler; it comes with Debian's package default-jdk-headless "
            "(apt-get install -y --no-install-recommends default-jdk-headless)"
        )
    absent = [jar for jar in map(_jar, _CLASSPATH) if not jar.is_file()]
    if absent:
        return (
            f"there is no {absent[0]}; it comes with Debian's package libapache-jena-java "
            "(apt-get install -y --no-install-recommends libapache-jena-java)"
        )
    return None


def _jar(name: str) -> Path:
    return _JARS / f"{name}.jar"


def _command(folder: Path, port: int, options: Options) -> list[str]:
    _unpack_messages(folder / _CLASSES)
    java = shutil.which("java")
    assert java is not None
    limit = 0 if options.time_limit is None else max(1, round(options.time_limit * 1000))
    return [
        java,
        "-Xss64m",  # a deeply nested query is a deep recursion
        "-Xmx3g",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",  # starts and warms up in half the time; long queries would gain from a second level
        "-Dsun.net.httpserver.nodelay=true",  # without it, an answer waits 40 ms for the client's acknowledgement
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
        f"-Djava.io.tmpdir={folder}",
        "-cp",
        ":".join((str(folder / _CLASSES), *map(str, map(_jar, _CLASSPATH)))),
        str(_SOURCE),
        str(port),
        str(limit),
    ]


def _unpack_messages(folder: Path) -> None:
    with zipfile.ZipFile(_jar(_CORE)) as jar:
        for name in jar.namelist():
            if name.startswith(_MESSAGES) and name.endswith(".properties"):
                place = folder / _MESSAGES_WANTED / name.removeprefix(_MESSAGES)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(jar.read(name))


def _ready(_: Path, port: int) -> bool:
    return web.answers(port, "/query")


def _put(_: Path, port: int, graph: str, n_triples: bytes) -> None:
    # Jena 4.5 refuses a character beyond U+FFFF in an IRI, unless it is escaped
    text = n_triples.decode("utf-8")
    escaped = text if text.isascii() else _ASTRAL.sub(lambda found: f"\\U{ord(found[0]):08X}", text)
    web.put(port, f"/data?graph={quote(graph, safe='')}", escaped.encode("utf-8"), "application/n-triples")


JENA = Program(
    name="jena",
    dialect="jena",
    query="/query",
    missing=_missing,
    command=_command,
    ready=_ready,
    put=_put,
    reference="/reference",
)
