"""Files of Java's client settings, as librdkafka needs them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import sluice

SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"


def read(tmp_path: Path, text: str) -> dict[str, str]:
    file = tmp_path / "client.properties"
    file.write_text(text, encoding="utf-8")
    return sluice.kafka_config(file)


def test_a_password_over_tls_becomes_what_librdkafka_calls_it(tmp_path: Path) -> None:
    authority = tmp_path / "ca.pem"
    authority.touch()
    text = f"""# Written for Java.
! Both are comments.
security.protocol=SASL_SSL
sasl.mechanism : SCRAM-SHA-512
sasl.jaas.config = {SCRAM} required \
    username="trainer" \
    password="a\\\\"b=c;d";
ssl.truststore.type=PEM
ssl.truststore.location={tmp_path}/ca\\u002epem
ssl.endpoint.identification.algorithm=
client.rack r1
"""
    assert read(tmp_path, text) == {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.username": "trainer",
        "sasl.password": 'a"b=c;d',
        "ssl.ca.location": str(authority),
        "ssl.endpoint.identification.algorithm": "none",
        "client.rack": "r1",
    }


def test_certificates_of_the_client_come_as_pem_or_pkcs12(tmp_path: Path) -> None:
    pem, pkcs12 = tmp_path / "me.pem", tmp_path / "me.p12"
    pem.touch()
    pkcs12.touch()
    assert read(tmp_path, f"ssl.keystore.type=PEM\nssl.keystore.location={pem}\n") == {
        "ssl.certificate.location": str(pem),
        "ssl.key.location": str(pem),
    }
    stored = f"ssl.keystore.type=PKCS12\nssl.keystore.location={pkcs12}\nssl.keystore.password=p\n"
    assert read(tmp_path, stored) == {
        "ssl.keystore.location": str(pkcs12),
        "ssl.keystore.password": "p",
    }
    assert read(tmp_path, "ssl.truststore.certificates=-----BEGIN\n") == {
        "ssl.ca.pem": "-----BEGIN"
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "ssl.truststore.location=/ca.jks",
            (
                "ssl.truststore.type must be PEM for Python: found JKS; "
                "'keytool -exportcert -rfc' writes a certificate as PEM"
            ),
        ),
        (
            "ssl.keystore.location=/me.jks",
            (
                "ssl.keystore.type must be PEM or PKCS12 for Python: found JKS; "
                "'keytool -exportcert -rfc' writes a certificate as PEM"
            ),
        ),
        (
            "sasl.jaas.config=com.Other required username=u password=s3cret;",
            "sasl.jaas.config must be one of PlainLoginModule, ScramLoginModule 'required …;'",
        ),
        (
            f"sasl.jaas.config={PLAIN} required password=s3cret;",
            "sasl.jaas.config has no username",
        ),
        (
            f"sasl.jaas.config={PLAIN} required username=u password=s3cret",
            "sasl.jaas.config must be one of PlainLoginModule, ScramLoginModule 'required …;'",
        ),
    ],
)
def test_what_librdkafka_cannot_do_is_named_without_a_value(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(ValueError) as failed:
        read(tmp_path, text)
    assert str(failed.value) == f"{tmp_path / 'client.properties'}: {message}"


def test_a_certificate_that_is_not_there_is_named_with_its_key(tmp_path: Path) -> None:
    missing = tmp_path / "none.pem"
    for store in ("truststore", "keystore"):
        with pytest.raises(ValueError) as failed:
            read(tmp_path, f"ssl.{store}.type=PEM\nssl.{store}.location={missing}\n")
        assert str(failed.value) == (
            f"{tmp_path / 'client.properties'}: ssl.{store}.location must name a file that is "
            f"there: '{missing}'"
        )
    for key in ("ssl.ca.location", "ssl.key.location"):
        with pytest.raises(ValueError) as failed:
            sluice.KafkaAccess("host:1", config={key: str(missing)})
        assert str(failed.value) == f"{key} must name a file that is there: '{missing}'"
    sluice.KafkaAccess("host:1", config={"ssl.ca.location": str(tmp_path)})
    sluice.KafkaAccess("host:1", config={"ssl.ca.location": "probe"})


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_certificate_of_somebody_else_is_named(tmp_path: Path) -> None:
    closed = tmp_path / "ca.pem"
    closed.touch(mode=0)
    with pytest.raises(ValueError, match="ssl.ca.location must name a file that this process may"):
        sluice.KafkaAccess("host:1", config={"ssl.ca.location": str(closed)})


def test_settings_are_not_shown() -> None:
    access = sluice.KafkaAccess("host:1", config={"sasl.password": "s3cret"})
    assert repr(access) == "KafkaAccess(bootstrap='host:1', prefix='sluice.')"
