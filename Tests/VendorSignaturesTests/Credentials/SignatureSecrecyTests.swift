import HTTPTypes
import Interception
import Testing

@testable import VendorSignatures

@Suite struct SignatureSecrecyTests {
  private static let secret = "correct-horse-battery-staple"

  private static let errors: [VendorSignatureError] = [
    VendorSignatureError(.illegalText("region")), VendorSignatureError(.expirationOutOfRange),
    VendorSignatureError(.invalidPrivateKey), VendorSignatureError(.noTarget),
    VendorSignatureError(.alreadySigned("the field x")),
    VendorSignatureError(.missingField("x")), VendorSignatureError(.bodyNotReplayable(orElse: nil)),
    VendorSignatureError(.bodyTooLarge(limit: 1)), VendorSignatureError(.unknownLength),
    VendorSignatureError(.requiresTLS("contains the secrets")), VendorSignatureError(.expiredCredentials),
    VendorSignatureError(.sourceFailed), VendorSignatureError(.cryptography("SHA-256")),
  ]

  @Test("C8: No text, dump or mirror of credentials, profile, cache or error reveals a secret")
  func secretsStaySecret() async throws {
    let secret = Self.secret
    let credentials = try VendorCredentials(keyID: "K", secret: secret, sessionToken: secret)
    let aws = try AWSSignature(region: "r", service: "s3", payload: .chunked(sendsChecksum: true))
    let aliyun = try AliyunSignature(version: "1")
    let method = OAuth1Method.hmacSHA256(clientSecret: secret, tokenSecret: secret)
    let oauth = try OAuth1Signature(clientKey: "k", method: method)
    let digest = try InsecureParameterDigest(.get, apiKey: "k", secret: secret)
    let interceptors = [
      VendorSignatureInterceptor(aws, with: credentials),
      VendorSignatureInterceptor(aliyun, with: credentials),
      VendorSignatureInterceptor(oauth), VendorSignatureInterceptor(digest),
    ]
    var request = Request(method: .put, authority: "a.example", path: "/", body: .bytes([1]))
    request.head.headerFields[AliyunFields.action] = "A"
    var bodies: [Any] = []
    for interceptor in interceptors { bodies.append(try await interceptor.signed(request).body) }
    let subjects: [Any] = [
      credentials, credentials.material, aws, aws.keys, aliyun, aliyun.keys, method, method.kind, oauth,
      digest,
      interceptors, bodies, Self.errors, CredentialState(), OAuth1Secret(secret, secret),
    ]
    let forms = [secret, "\(Array(secret.utf8))", "\(Array(secret.utf8))".replacing(", ", with: "\n")]
    for subject in subjects {
      var dumped = ""
      dump(subject, to: &dumped)
      for text in [
        dumped, "\(subject)", String(reflecting: subject), String(describing: Mirror(reflecting: subject)),
      ] {
        for form in forms { #expect(!text.contains(form), "\(type(of: subject))") }
        #expect(!text.contains("- 99\n"), "The bytes of the secret are dumped for \(type(of: subject))")
      }
    }
  }

  @Test("Every error names the fault and the remedy in one sentence")
  func sentences() {
    for error in Self.errors {
      #expect(error.description.hasSuffix(".") && error.description.contains(";"), "\(error)")
    }
  }

  @Test("Ids, tokens and secrets that a signature can't carry are refused")
  func illegalText() {
    for id in ["", "a b", "a/b", "a,b", "a\r\nX: y", "é", String(repeating: "a", count: 129)] {
      #expect(throws: VendorSignatureError(.illegalText("id of the key"))) {
        try VendorCredentials(keyID: id, secret: "s")
      }
    }
    for token in ["", "a b", "a\n"] {
      #expect(throws: VendorSignatureError(.illegalText("session token"))) {
        try VendorCredentials(keyID: "K", secret: "s", sessionToken: token)
      }
    }
    for secret in ["", String(repeating: "a", count: 4_097)] {
      #expect(throws: VendorSignatureError(.illegalText("secret"))) {
        try VendorCredentials(keyID: "K", secret: secret)
      }
    }
  }
}
