"""Java's Kafka settings, for librdkafka: one file serves both clients."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from sluice.kafka.files import require_file

_JAAS = "sasl.jaas.config"
_MODULE = re.compile(r"\s*(\S+)\s+(?:required|requisite|sufficient|optional)\s+(.*);\s*", re.DOTALL)
_OPTION = re.compile(r'(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))')
_PASSWORD_MODULES = ("PlainLoginModule", "ScramLoginModule")
_SEPARATOR = re.compile(r"(?<!\\)[=:\s]")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}

_RENAMED = {
    "ssl.truststore.certificates": "ssl.ca.pem",
    "ssl.keystore.certificate.chain": "ssl.certificate.pem",
    "ssl.keystore.key": "ssl.key.pem",
}
_NOT_NEEDED = {"ssl.truststore.type", "ssl.truststore.password", "ssl.keystore.type"}


def kafka_config(path: str | Path) -> dict[str, str]:
    """The ``config`` of a client, from a properties file of Java's Kafka clients.

    The file is the one that ``sluice --kafka-config`` takes. Passwords of PLAIN and SCRAM, and
    certificates as PEM or PKCS12, become what librdkafka calls them; every other setting is handed
    on under its name. Raises :class:`ValueError` for what librdkafka has no equivalent of, and for
    certificates that are not there; of the file's values the message holds names of files alone.
    """
    given = dict(_read(Path(path).read_text(encoding="utf-8")))
    try:
        return _translated(given)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _translated(given: dict[str, str]) -> dict[str, str]:
    special: dict[str, Callable[[dict[str, str], str], dict[str, str]]] = {
        _JAAS: lambda _, value: _user(value),
        "ssl.truststore.location": _trusted,
        "ssl.keystore.location": _own,
        "ssl.endpoint.identification.algorithm": lambda _, value: {
            "ssl.endpoint.identification.algorithm": value or "none"
        },
    }
    config: dict[str, str] = {}
    for key, value in given.items():
        if key in special:
            config |= special[key](given, value)
        elif key not in _NOT_NEEDED:
            config[_RENAMED.get(key, key)] = value
    return config


def _user(jaas: str) -> dict[str, str]:
    module = _MODULE.fullmatch(jaas)
    if module is None or not module[1].endswith(_PASSWORD_MODULES):
        raise ValueError(f"{_JAAS} must be one of {', '.join(_PASSWORD_MODULES)} 'required …;'")
    options = {
        name: re.sub(r"\\(.)", r"\1", quoted) if quoted else bare
        for name, quoted, bare in _OPTION.findall(module[2])
    }
    for name in ("username", "password"):
        if name not in options:
            raise ValueError(f"{_JAAS} has no {name}")
    return {"sasl.username": options["username"], "sasl.password": options["password"]}


def _trusted(given: dict[str, str], location: str) -> dict[str, str]:
    _require_type(given, "ssl.truststore.type", ("PEM",))
    require_file("ssl.truststore.location", location)
    return {"ssl.ca.location": location}


def _own(given: dict[str, str], location: str) -> dict[str, str]:
    kind = _require_type(given, "ssl.keystore.type", ("PEM", "PKCS12"))
    require_file("ssl.keystore.location", location)
    if kind == "PEM":
        return {"ssl.certificate.location": location, "ssl.key.location": location}
    return {"ssl.keystore.location": location}


def _require_type(given: dict[str, str], key: str, allowed: tuple[str, ...]) -> str:
    kind = given.get(key, "JKS").upper()
    if kind not in allowed:
        raise ValueError(
            f"{key} must be {' or '.join(allowed)} for Python: found {kind}; "
            "'keytool -exportcert -rfc' writes a certificate as PEM"
        )
    return kind


def _read(text: str) -> Iterator[tuple[str, str]]:
    """The entries of a properties file, as Java reads them."""
    lines = iter(text.splitlines())
    for line in lines:
        entry = line.lstrip()
        if not entry or entry[0] in "#!":
            continue
        while _continues(entry):
            entry = entry[:-1] + next(lines, "").lstrip()
        found = _SEPARATOR.search(entry)
        end = found.start() if found else len(entry)
        value = re.sub(r"\A\s*[=:]?\s*", "", entry[end:], count=1)
        yield _unescaped(entry[:end]), _unescaped(value)


def _continues(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _unescaped(text: str) -> str:
    def meant(escape: re.Match[str]) -> str:
        code = escape[1]
        return chr(int(code[1:], 16)) if len(code) == 5 else _CONTROLS.get(code, code)

    return _ESCAPE.sub(meant, text)
