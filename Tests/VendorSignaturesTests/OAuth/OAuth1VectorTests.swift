import Cryptography
import Foundation
import HTTPTypes
import Interception
import Testing

@testable import VendorSignatures

@Suite(.enabled(if: SignatureVectors.mustRun, "Requires ../shared/vectors/signing/oauth1.json"))
struct OAuth1VectorTests {
  struct File: Decodable, Sendable {
    struct SignedRequest: Decodable, Sendable {
      let id: String
      let method: String
      let url: String
      let body: String?
      let contentType: String?
      let realm: String?
      let oauthParameters: [[String]]
      let clientSecret: String?
      let tokenSecret: String?
      let signatureMethod: String
      let normalizedParameters: String
      let baseStringURI: String
      let signatureBaseString: String
      let signature: String
      let signatureEncoded: String
      let privateKeyPEM: String?
    }

    struct Signature: Decodable, Sendable {
      let id: String
      let signatureMethod: String
      let signatureBaseString: String
      let clientSecret: String?
      let tokenSecret: String?
      let privateKeyPEM: String?
      let signature: String
    }

    struct Address: Decodable, Sendable {
      let url: String
      let expected: String
    }

    struct Encoding: Decodable, Sendable {
      let input: String
      let expected: String
    }

    struct Form: Decodable, Sendable {
      let form: String
      let expected: String
    }

    let requests: [SignedRequest]
    let signatures: [Signature]
    let baseStringURIs: [Address]
    let percentEncoding: [Encoding]
    let parameterNormalization: [Form]
  }

  private func file() throws -> File { try SignatureVectors.read("signing/oauth1.json", as: File.self) }

  private func method(
    _ name: String, clientSecret: String?, tokenSecret: String?, key: String?
  ) throws -> OAuth1Method {
    let (client, token, key) = (clientSecret ?? "", tokenSecret ?? "", key ?? "")
    return switch name {
    case "HMAC-SHA1": .hmacSHA1(clientSecret: client, tokenSecret: token)
    case "HMAC-SHA256": .hmacSHA256(clientSecret: client, tokenSecret: token)
    case "HMAC-SHA512": .hmacSHA512(clientSecret: client, tokenSecret: token)
    case "RSA-SHA1": try .rsaSHA1(privateKey: key)
    case "RSA-SHA256": try .rsaSHA256(privateKey: key)
    case "RSA-SHA512": try .rsaSHA512(privateKey: key)
    case "PLAINTEXT": .plaintext(clientSecret: client, tokenSecret: token)
    default: throw SignatureVectors.Malformed(text: name)
    }
  }

  /// Whether the cryptographic library has a method; if not, its key must be refused for that.
  private func isSupported(_ name: String, key: String?) throws -> Bool {
    guard name.hasPrefix("RSA"), !SignatureScheme.rsaPKCS1SHA1.isSupported else { return true }
    #expect(throws: VendorSignatureError(.cryptography("RSA"))) {
      try method(name, clientSecret: nil, tokenSecret: nil, key: key)
    }
    return false
  }

  /// Splits a URL without changing how it is written.
  private func request(_ url: String, method: String, fields: HTTPFields = [:], body: String = "") throws
    -> Request
  {
    let halves = url.components(separatedBy: "://")
    let rest = halves[1].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(authority.count)
    return Request(
      method: try #require(HTTPRequest.Method(method)), scheme: halves[0], authority: String(authority),
      path: path.isEmpty ? "/" : String(path), headerFields: fields, body: .text(body))
  }

  @Test("The base string and the signature of each OAuth 1.0a request are reproduced")
  func requests() async throws {
    let file = try file()
    SignatureVectors.report("signing/oauth1.json, requests", file.requests.count)
    #expect(file.requests.count >= 10)
    for vector in file.requests where try isSupported(vector.signatureMethod, key: vector.privateKeyPEM) {
      var given: [String: String] = [:]
      for pair in vector.oauthParameters { given[pair[0]] = pair[1] }
      let nonce = given["oauth_nonce"] ?? ""
      let own = [
        "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_timestamp", "oauth_nonce",
      ]
      let signature = try OAuth1Signature(
        clientKey: given["oauth_consumer_key"] ?? "",
        method: method(
          vector.signatureMethod, clientSecret: vector.clientSecret, tokenSecret: vector.tokenSecret,
          key: vector.privateKeyPEM),
        token: given["oauth_token"], realm: vector.realm,
        parameters: given.filter { !own.contains($0.key) }, nonces: { nonce })
      var fields: HTTPFields = [:]
      fields[.contentType] = vector.contentType
      let request = try request(vector.url, method: vector.method, fields: fields, body: vector.body ?? "")
      let time = WallTime(secondsSince1970: Int64(given["oauth_timestamp"] ?? "0") ?? 0)
      let sent = try await VendorSignatureInterceptor(signature, time: .fixed(time)).signed(request)
      let field = try #require(sent.head.headerFields[.authorization])
      #expect(field.contains("oauth_signature=\"\(vector.signatureEncoded)\""), "\(vector.id)")
      #expect(field.hasPrefix(vector.realm.map { "OAuth realm=\"\($0)\", " } ?? "OAuth "))
      for pair in vector.oauthParameters { #expect(field.contains("\(pair[0])=\"")) }
      #expect(field.contains("oauth_timestamp") == (given["oauth_timestamp"] != nil))

      let parameters = vector.oauthParameters.map { (name: $0[0], value: $0[1]) }
      let form = vector.body.map { Array($0.utf8) }
      let base = OAuth1BaseString(request.head, form: form, parameters: parameters)
      #expect(String(decoding: base.bytes, as: UTF8.self) == vector.signatureBaseString)
      let target = TargetParts(request.head.path ?? "")
      #expect(OAuth1BaseString.uri(request.head, path: target.path) == vector.baseStringURI)
      let normalized = OAuth1BaseString.normalized(query: target.query, form: form, parameters: parameters)
      #expect(normalized.string == vector.normalizedParameters)
    }
  }

  @Test("The signature of each base string is reproduced")
  func signatures() throws {
    let file = try file()
    SignatureVectors.report("signing/oauth1.json, signatures", file.signatures.count)
    #expect(file.signatures.count >= 10)
    for vector in file.signatures where try isSupported(vector.signatureMethod, key: vector.privateKeyPEM) {
      let method = try method(
        vector.signatureMethod, clientSecret: vector.clientSecret, tokenSecret: vector.tokenSecret,
        key: vector.privateKeyPEM)
      #expect(
        try method.signature(of: Array(vector.signatureBaseString.utf8)) == vector.signature, "\(vector.id)")
    }
  }

  @Test("Base string URIs, encodings and normalizations are reproduced")
  func parts() throws {
    let file = try file()
    SignatureVectors.report("signing/oauth1.json, base string URIs", file.baseStringURIs.count)
    SignatureVectors.report("signing/oauth1.json, percent-encodings", file.percentEncoding.count)
    SignatureVectors.report("signing/oauth1.json, normalizations", file.parameterNormalization.count)
    for vector in file.baseStringURIs {
      let head = try request(vector.url, method: "GET").head
      #expect(OAuth1BaseString.uri(head, path: TargetParts(head.path ?? "").path) == vector.expected)
    }
    for vector in file.percentEncoding {
      var text = CanonicalText(reserving: 0)
      text.append(encoding: vector.input.utf8)
      #expect(text.string == vector.expected)
    }
    for vector in file.parameterNormalization {
      let text = OAuth1BaseString.normalized(query: nil, form: Array(vector.form.utf8), parameters: [])
      #expect(text.string == vector.expected)
    }
    #expect(file.baseStringURIs.count >= 13 && file.percentEncoding.count >= 10)
  }
}
