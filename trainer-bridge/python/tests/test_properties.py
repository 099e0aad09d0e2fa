"""Files of Java's client settings, as librdkafka needs them."""

from __future__ import annotations

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
    text = f"""# Written for Java.
! Both are comments.
security.protocol=SASL_SSL
sasl.mechanism : SCRAM-SHA-512
sasl.jaas.config = {SCRAM} required \
    username="trainer" \
    password="a\\\\"b=c;d";
ssl.truststore.type=PEM
ssl.truststore.location=/etc/kafka/ca\u002epem
ssl.endpoint.identification.algorithm=
client.rack r1
"""
    assert read(tmp_path, text) == {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.username": "trainer",
        "sasl.password": 'a"b=c;d',
        "ssl.ca.location": "/etc/kafka/ca.pem",
        "ssl.endpoint.identification.algorithm": "none",
        "client.rack": "r1",
    }


def test_certificates_of_the_client_come_as_pem_or_pkcs12(tmp_path: Path) -> None:
    assert read(tmp_path, "ssl.keystore.type=PEM\nssl.keystore.location=/me.pem\n") == {
        "ssl.certificate.location": "/me.pem",
        "ssl.key.location": "/me.pem",
    }
    stored = "ssl.keystore.type=PKCS12\nssl.keystore.location=/me.p12\nssl.keystore.password=p\n"
    assert read(tmp_path, stored) == {
        "ssl.keystore.location": "/me.p12",
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


def test_settings_are_not_shown() -> None:
    access = sluice.KafkaAccess("host:1", config={"sasl.password": "s3cret"})
    assert repr(access) == "KafkaAccess(bootstrap='host:1', prefix='sluice.')"
