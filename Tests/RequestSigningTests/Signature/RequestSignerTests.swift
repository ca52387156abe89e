import Cryptography
import HTTPTypes
import Interception
import Testing

@testable import RequestSigning

// The expected values of this suite were computed by this independent Python program:
//
//   import hmac, hashlib, struct
//   def lp(*fields): return b"".join(struct.pack(">Q", len(f)) + f for f in fields)
//   label, key_id, time = b"SWITCHYARD-HMAC-SHA256-V2", b"app-1", 1_700_000_000
//   nonce = bytes(range(16))
//   prk = hmac.new(b"\0" * 32, bytes(range(32)), "sha256").digest()
//   info = lp(label, key_id, str(time // 86400).encode())
//   key = hmac.new(prk, info + b"\1", "sha256").digest()
//   def sign(method, authority, api, path, body, names=b"", values=()):
//       return hmac.new(key, lp(label, key_id, str(time).encode(), nonce, method, authority, api, path,
//                               hashlib.sha256(body).digest(), names, *values), "sha256").hexdigest()
//   sign(b"GET", b"api.estate.example", b"", b"/v1/houses", b"")
//   sign(b"POST", b"api.estate.example:8443", b"estate/houses.save",
//        b"/v1/houses?q=a+b%26c&page=2&city=%E4%B8%8A%e6%b5%b7&page=1", b'{"price":1}',
//        b"authorization content-type", (b"Bearer t0ken", b"application/json"))
@Suite struct RequestSignerTests {
  private static let time = WallTime(secondsSince1970: 1_700_000_000, nanoseconds: 999_999_999)
  private static let nonce = Nonce(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)

  private func key() throws -> SigningKey { try SigningKey(id: "app-1", secret: Array(0..<32)) }

  private func lines(_ fields: [HTTPField]) -> [String] { fields.map { "\($0.name.rawName): \($0.value)" } }

  @Test("The key of the day matches another implementation")
  func derivedKey() throws {
    let derived = try key().material.derivedKey(day: 1_700_000_000 / 86_400)
    #expect(
      Hexadecimal.encode(derived) == "37269bfc42335c867b5a6ef703dce87987bc83e84593139e00692a6a668ae671")
  }

  @Test("The signature of a minimal GET matches another implementation")
  func minimalRequest() throws {
    let head = HTTPRequest(
      method: .get, scheme: "https", authority: "API.Estate.Example:443", path: "/v1/houses")
    let fields = try RequestSigner(key: key()).sign(head, body: [], at: Self.time, nonce: Self.nonce)
    #expect(
      lines(fields) == [
        "Switchyard-Key: app-1", "Switchyard-Time: 1700000000",
        "Switchyard-Nonce: 000102030405060708090a0b0c0d0e0f",
        "Switchyard-Signature: v2.4b6308741c7f618b0d725872eda227b375b77d20dd2c19a6707dfec6b838b6ca",
      ])
  }

  @Test(
    "C7: The signature of a POST with all parts matches another implementation")
  func everything() throws {
    let head = HTTPRequest(
      method: .post, scheme: "https", authority: "api.estate.example:8443",
      path: "/v1/houses?q=a+b%26c&page=2&city=%E4%B8%8A%e6%b5%b7&page=1",
      headerFields: [.contentType: "application/json", .authorization: "Bearer t0ken", .accept: "*/*"])
    let fields = try RequestSigner(key: key()).sign(
      head, api: APIIdentity(service: "estate", name: "houses.save"), body: Array(#"{"price":1}"#.utf8),
      at: Self.time, nonce: Self.nonce)
    #expect(
      lines(fields) == [
        "Switchyard-Key: app-1", "Switchyard-Time: 1700000000",
        "Switchyard-Nonce: 000102030405060708090a0b0c0d0e0f", "Switchyard-API: estate/houses.save",
        "Switchyard-Fields: authorization content-type",
        "Switchyard-Signature: v2.d54c96e511405cb16ee3f368e8d6286717401d82226a4bad0b3c96e0c5efc0c1",
      ])
  }

  @Test("Time, nonce and signature are excluded from HPACK's dynamic table")
  func indexing() throws {
    let head = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/")
    let fields = try RequestSigner(key: key()).sign(head, body: [], at: Self.time, nonce: Self.nonce)
    let kept = fields.filter { $0.indexingStrategy == .disallow }.map(\.name)
    #expect(kept == [SignatureFields.time, SignatureFields.nonce, SignatureFields.signature])
  }

  @Test("The field names are the documented ones")
  func fieldNames() {
    #expect(
      SignatureFields.all.map(\.rawName) == [
        "Switchyard-Key", "Switchyard-Time", "Switchyard-Nonce", "Switchyard-API", "Switchyard-Fields",
        "Switchyard-Signature", "Switchyard-Sealed-Key",
      ])
  }

  @Test("A nonce is parsed from lower-case digits only")
  func parsing() {
    #expect(Nonce("000102030405060708090a0b0c0d0e0f") == Self.nonce)
    #expect(Nonce(Self.nonce.description) == Self.nonce)
    for text in ["", "00", "000102030405060708090A0B0C0D0E0F", "000102030405060708090a0b0c0d0e0g"] {
      #expect(Nonce(text) == nil)
    }
  }

  @Test("Random nonces differ")
  func randomNonces() {
    #expect(Set((0..<1_000).map { _ in Nonce.random() }).count == 1_000)
  }
}
