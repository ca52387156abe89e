#!/usr/bin/env python3
"""A second signer and verifier of HTTP Message Signatures (RFC 9421), for tests.

Reads a JSON list of jobs from standard input and prints a JSON list of results. It shares no code with the library:
fields are split with its own few lines, and the primitives are those of the package "cryptography".
"""

import base64
import hashlib
import hmac
import json
import re
import sys
import urllib.parse

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, utils

PSS = padding.PSS(mgf=padding.MGF1(hashes.SHA512()), salt_length=64)


def primitives(algorithm, key):
    """Returns functions that sign and verify a base."""
    if algorithm == "hmac-sha256":
        secret = base64.b64decode(key["secret"])

        def tag(base):
            return hmac.new(secret, base, hashlib.sha256).digest()

        return tag, lambda signature, base: hmac.compare_digest(signature, tag(base))
    private = serialization.load_pem_private_key(key["pem"].encode(), None) if "pem" in key else None
    public = private.public_key() if private else serialization.load_pem_public_key(key["publicPEM"].encode())

    def sign(base):
        if algorithm == "ed25519":
            return private.sign(base)
        if algorithm == "ecdsa-p256-sha256":
            r, s = utils.decode_dss_signature(private.sign(base, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        if algorithm == "rsa-pss-sha512":
            return private.sign(base, PSS, hashes.SHA512())
        return private.sign(base, padding.PKCS1v15(), hashes.SHA256())

    def check(signature, base):
        if algorithm == "ed25519":
            public.verify(signature, base)
        elif algorithm == "ecdsa-p256-sha256":
            r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
            public.verify(utils.encode_dss_signature(r, s), base, ec.ECDSA(hashes.SHA256()))
        elif algorithm == "rsa-pss-sha512":
            public.verify(signature, base, PSS, hashes.SHA512())
        else:
            public.verify(signature, base, padding.PKCS1v15(), hashes.SHA256())

    def verify(signature, base):
        try:
            check(signature, base)
            return True
        except InvalidSignature:
            return False

    return sign, verify


def combined(fields, name):
    values = [value.strip(" \t") for field, value in fields if field.lower() == name]
    if not values:
        raise KeyError(name)
    return values


def value_of(identifier, message, request):
    """Returns the value of a component by its serialized identifier."""
    name, _, rest = identifier[1:].partition('"')
    parameters = rest.split(";")[1:]
    if "req" in parameters:
        message = request
    if not name.startswith("@"):
        values = combined(message["fields"], name)
        key = re.search(r';key="([^"]*)"', rest)
        if key:
            members = dict(member.strip().split("=", 1) for member in ", ".join(values).split(","))
            return members[key.group(1)]
        if "bs" in parameters:
            return ", ".join(":" + base64.b64encode(value.encode()).decode() + ":" for value in values)
        return ", ".join(values)
    if name == "@status":
        return str(message["status"])
    url = urllib.parse.urlsplit(message["url"])
    authority = url.hostname
    if url.port and url.port != {"https": 443, "http": 80}[url.scheme]:
        authority += ":%d" % url.port
    query = message["url"].partition("?")[2]
    if name == "@query-param":
        wanted = urllib.parse.unquote(re.search(r';name="([^"]*)"', rest).group(1))
        found = [v for n, v in urllib.parse.parse_qsl(query, keep_blank_values=True) if n == wanted]
        assert len(found) == 1, found
        return urllib.parse.quote(found[0], safe="*-._").replace("~", "%7E")
    return {
        "@method": message.get("method"),
        "@target-uri": message["url"],
        "@authority": authority,
        "@scheme": url.scheme,
        "@request-target": url.path + ("?" + query if query else ""),
        "@path": url.path or "/",
        "@query": "?" + query,
    }[name]


def base_of(identifiers, parameters, message, request):
    lines = ["%s: %s" % (identifier, value_of(identifier, message, request)) for identifier in identifiers]
    lines.append('"@signature-params": (%s)%s' % (" ".join(identifiers), parameters))
    return "\n".join(lines).encode()


def digest_of(body):
    return "sha-512=:" + base64.b64encode(hashlib.sha512(body).digest()).decode() + ":"


def check_digest(message, body):
    for member in combined(message["fields"], "content-digest")[0].split(", "):
        name, _, value = member.partition("=")
        algorithm = {"sha-256": hashlib.sha256, "sha-512": hashlib.sha512}[name]
        if base64.b64decode(value[1:-1]) != algorithm(body).digest():
            return False
    return True


def run(job):
    sign, verify = primitives(job["algorithm"], job["key"])
    message, request = job["message"], job.get("request")
    body = base64.b64decode(message["body"])
    if job["action"] == "sign":
        if body:
            message["fields"].append(["content-digest", digest_of(body)])
        base = base_of(job["identifiers"], job["parameters"], message, request)
        signature = base64.b64encode(sign(base)).decode()
        message["fields"].append(
            ["signature-input", "peer=(%s)%s" % (" ".join(job["identifiers"]), job["parameters"])])
        message["fields"].append(["signature", "peer=:%s:" % signature])
        return message["fields"]
    label, _, text = ", ".join(combined(message["fields"], "signature-input")).partition("=")
    covered, parameters = re.fullmatch(r"\((.*?)\)(;.*)", text).groups()
    # A string of these tests has no spaces, so they separate the identifiers.
    base = base_of(covered.split(" "), parameters, message, request)
    signature = ", ".join(combined(message["fields"], "signature"))
    assert signature.startswith(label + "=:") and signature.endswith(":"), signature
    return verify(base64.b64decode(signature[len(label) + 2:-1]), base) and (
        not body or check_digest(message, body))


if __name__ == "__main__":
    print(json.dumps([run(job) for job in json.load(sys.stdin)]))
