#!/usr/bin/env python3
"""The scheme SWITCHYARD-HMAC-SHA256-V2 in Python, with the standard library only.

The specification is the article "The default signature" of RequestSigning's documentation.

usage: signatures.py check FILE     recomputes every vector of FILE
       signatures.py sign           signs the requests of a JSON array on standard input
       signatures.py verify         verifies the requests of a JSON array on standard input
"""

import hashlib
import hmac
import json
import re
import struct
import sys

VERSION = "v2."
LABEL = b"SWITCHYARD-HMAC-SHA256-V2"
RESPONSE_LABEL = LABEL + b"-RESPONSE"
QUERY_LABEL = LABEL + b"-QUERY"
OWN = ["switchyard-key", "switchyard-time", "switchyard-nonce", "switchyard-api", "switchyard-fields",
       "switchyard-signature"]
# The fields by which a server may replace the method; they are always covered.
OVERRIDES = ["x-http-method-override", "x-http-method", "x-method-override"]
UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9a-z]+")


class Refusal(Exception):
    """The reason why a signature is not accepted."""


def prefixed(*fields):
    """Each field, preceded by its length in eight bytes, most significant first."""
    return b"".join(struct.pack(">Q", len(field)) + field for field in fields)


def daily_key(secret, key_id, time):
    """HKDF-SHA256 (RFC 5869) without a salt, of 32 bytes."""
    pseudorandom = hmac.new(bytes(32), secret, "sha256").digest()
    info = prefixed(LABEL, key_id.encode(), str(time // 86400).encode())
    return hmac.new(pseudorandom, info + b"\x01", "sha256").digest()


def canonical_authority(authority):
    """ASCII letters in lower case, and no port that is empty, 80 or 443."""
    authority = re.sub("[A-Z]+", lambda letters: letters.group().lower(), authority)
    name, colon, port = authority.rpartition(":")
    return name if colon and "]" not in port and port in ("", "80", "443") else authority


def canonical_api(api):
    """Both names with every reserved byte percent-encoded in lower case, joined by a slash."""
    def encode(name):
        return "".join(chr(byte) if byte in UNRESERVED else "%%%02x" % byte for byte in name.encode())
    return "" if api is None else encode(api["service"]) + "/" + encode(api["name"])


def field_value(fields, name):
    """The value of a header field; several lines are joined by a comma, those of Cookie by a semicolon."""
    values = [value for line, value in fields if line.lower() == name]
    return ("; " if name == "cookie" else ", ").join(values) if values else None


def canonical(key_id, time, nonce, method, authority, api, path, body, names, values):
    return prefixed(
        LABEL, key_id.encode(), str(time).encode(), bytes.fromhex(nonce), method.encode(),
        canonical_authority(authority).encode(), api.encode(), path.encode(),
        hashlib.sha256(body).digest(), " ".join(names).encode(), *[value.encode() for value in values])


def sign(request):
    """The canonical bytes, the key of the day and the fields to add."""
    key_id, time, nonce = request["keyID"], request["time"], request["nonce"]
    names, values = covered(request)
    api = canonical_api(request.get("api"))
    message = canonical(key_id, time, nonce, request["method"], request["authority"], api, request["path"],
                        bytes.fromhex(request["body"]), names, values)
    key = daily_key(bytes.fromhex(request["secret"]), key_id, time)
    added = [["Switchyard-Key", key_id], ["Switchyard-Time", str(time)], ["Switchyard-Nonce", nonce]]
    if api:
        added.append(["Switchyard-API", api])
    if names:
        added.append(["Switchyard-Fields", " ".join(names)])
    added.append(["Switchyard-Signature", VERSION + hmac.new(key, message, "sha256").hexdigest()])
    return message, key, added


def covered(vector):
    """The names and values of the fields to cover that are present."""
    names, values = [], []
    for name in dict.fromkeys([name.lower() for name in vector["covering"]] + OVERRIDES):
        value = field_value(vector["fields"], name)
        if name not in OWN and value is not None:
            names.append(name)
            values.append(value)
    return names, values


def sign_response(response):
    """The canonical bytes of a response, and the fields to add; time, nonce and key are those of its request."""
    names, values = covered(response)
    message = prefixed(
        RESPONSE_LABEL, response["keyID"].encode(), str(response["time"]).encode(), response["nonce"].encode(),
        str(response["status"]).encode(), hashlib.sha256(bytes.fromhex(response["body"])).digest(),
        " ".join(names).encode(), *[value.encode() for value in values])
    key = daily_key(bytes.fromhex(response["secret"]), response["keyID"], response["time"])
    added = [["Switchyard-Fields", " ".join(names)]] if names else []
    return message, added + [["Switchyard-Signature", VERSION + hmac.new(key, message, "sha256").hexdigest()]]


def presign(request):
    """The path of a request with its signature as the last parameter."""
    def encode(text):
        return "".join(chr(byte) if byte in UNRESERVED else "%%%02x" % byte for byte in text.encode())
    path = request["path"] + ("&" if "?" in request["path"] else "?")
    path += "switchyard-key=%s&switchyard-time=%d&switchyard-expires=%d&switchyard-nonce=%s" % (
        encode(request["keyID"]), request["time"], request["lifetime"], request["nonce"])
    if request.get("api"):
        path += "&switchyard-api=" + encode(canonical_api(request["api"]))
    message = prefixed(QUERY_LABEL, request["method"].encode(),
                       canonical_authority(request["authority"]).encode(), path.encode())
    key = daily_key(bytes.fromhex(request["secret"]), request["keyID"], request["time"])
    return path + "&switchyard-signature=" + VERSION + hmac.new(key, message, "sha256").hexdigest()


def own_field(fields, name, pattern, required=True):
    values = [value for line, value in fields if line.lower() == name]
    if not values and required:
        raise Refusal("missing " + name)
    if len(values) > 1 or (values and not re.fullmatch(pattern, values[0], re.ASCII)):
        raise Refusal("malformed " + name)
    return values[0] if values else None


def own_signature(fields):
    """The 64 digits of the signature; one of another version of the scheme is refused as such."""
    text = own_field(fields, "switchyard-signature", r"(v2\.)?[0-9a-f]{64}|v(?!2\.)[1-9][0-9]{0,2}\..*")
    if not text.startswith(VERSION):
        raise Refusal("version " + (text[1:].partition(".")[0] if text.startswith("v") else "1"))
    return text[len(VERSION):]


def covered_names(fields):
    text = own_field(fields, "switchyard-fields", r"[^\n]*", required=False)
    names = [] if text is None else text.split(" ")
    if len(names) > 32 or len(set(names)) < len(names) or any(
            not TOKEN.fullmatch(name) or name in OWN for name in names):
        raise Refusal("malformed switchyard-fields")
    return names


def claimed_api(fields):
    text = own_field(fields, "switchyard-api", r"[^\n]*", required=False)
    if text is None:
        return ""
    try:
        service, name = (
            re.sub(rb"%([0-9a-f]{2})", lambda digits: bytes.fromhex(digits.group(1).decode()),
                   part.encode()).decode() for part in text.split("/"))
    except ValueError:
        raise Refusal("malformed switchyard-api") from None
    if canonical_api({"service": service, "name": name}) != text:
        raise Refusal("malformed switchyard-api")
    return text


def verify(request, keys, now, seen, window=300, required=("authorization", "content-type")):
    """Verifies a request, in the order of the specification, and records its nonce in `seen`."""
    fields = request["fields"]
    key_id = own_field(fields, "switchyard-key", r"[\x21-\x2b\x2d-\x7e]{1,128}")
    time = int(own_field(fields, "switchyard-time", r"[1-9][0-9]{0,9}"))
    nonce = own_field(fields, "switchyard-nonce", r"[0-9a-f]{32}")
    signature = own_signature(fields)
    api = claimed_api(fields)
    names = covered_names(fields)
    if abs(now - time) > window:
        raise Refusal("stale")
    for name in list(required) + OVERRIDES:
        if field_value(fields, name) is not None and name not in names:
            raise Refusal("uncovered " + name)
    values = [field_value(fields, name) for name in names]
    if None in values:
        raise Refusal("missing " + names[values.index(None)])
    if key_id not in keys:
        raise Refusal("unknown key")
    message = canonical(key_id, time, nonce, request["method"], request["authority"], api, request["path"],
                        bytes.fromhex(request["body"]), names, values)
    expected = hmac.new(daily_key(keys[key_id], key_id, time), message, "sha256").hexdigest()
    if not hmac.compare_digest(expected, signature):
        raise Refusal("mismatch")
    if (key_id, nonce) in seen:
        raise Refusal("replayed")
    seen.add((key_id, nonce))


def outcome(request, keys, now, seen):
    try:
        verify(request, keys, now, seen)
        return "accepted"
    except Refusal as refusal:
        return str(refusal)


def check(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    keys = {key: bytes.fromhex(secret) for key, secret in document["keys"].items()}
    faults = []
    for vector in document["signatures"]:
        message, key, added = sign(vector)
        if (message.hex(), key.hex(), added) != (vector["canonical"], vector["dailyKey"], vector["added"]):
            faults.append(vector["name"])
    for vector in document["verifications"]:
        seen = set()
        outcomes = [outcome(request, keys, vector["now"], seen) for request in vector["requests"]]
        if outcomes != vector["outcomes"]:
            faults.append("%s: %s" % (vector["name"], outcomes))
    for vector in document["responses"]:
        message, added = sign_response(vector)
        if (message.hex(), added) != (vector["canonical"], vector["added"]):
            faults.append(vector["name"])
    for vector in document["presigned"]:
        if presign(vector) != vector["presigned"]:
            faults.append(vector["name"])
    for fault in faults:
        print("disagreement: " + fault)
    parts = ["signatures", "verifications", "responses", "presigned"]
    print(", ".join("%d %s" % (len(document[part]), part) for part in parts), end=", ")
    print("%d disagreements" % len(faults))
    return 1 if faults else 0


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "check":
        return check(arguments[1])
    if arguments == ["sign"]:
        json.dump([sign(request)[2] for request in json.load(sys.stdin)], sys.stdout)
        return 0
    if arguments == ["verify"]:
        seen = set()
        json.dump([outcome(request, {request["keyID"]: bytes.fromhex(request["secret"])}, request["time"], seen)
                   for request in json.load(sys.stdin)], sys.stdout)
        return 0
    print(__doc__, file=sys.stderr)
    return 64


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
