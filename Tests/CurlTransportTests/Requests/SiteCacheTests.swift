import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct SiteCacheTests {
  private let cache = SiteCache(.init())

  private func site(_ authority: String?, scheme: String? = "https") throws -> RequestSite {
    try cache.site(of: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"))
  }

  @Test("A site is parsed once as long as it is written in the same way")
  func reuse() throws {
    let first = try site("a.test")
    #expect(try site("a.test") === first)
    #expect(try site("a.test", scheme: "http") !== first)
    #expect(try site("a.test:443").origin == first.origin)
    #expect(try site("A.test").origin == first.origin)
    #expect(try site("b.test").origin.host == "b.test")
    #expect(try site("a.test").origin == first.origin)
  }

  @Test("The lines name the authority as it is written")
  func authority() throws {
    func lines(_ authority: String) throws -> String {
      String(decoding: try site(authority).bareLines.bytes, as: UTF8.self)
    }
    #expect(
      try lines("a.test:443")
        == "Host: a.test:443\0Accept:\0Accept-Encoding: identity\0User-Agent: Switchyard\0")
    #expect(
      try lines("a.test") == "Host: a.test\0Accept:\0Accept-Encoding: identity\0User-Agent: Switchyard\0")
  }

  @Test("A path or passphrase of TLS with a null byte is refused by the name of the parameter, and not shown")
  func nullBytes() throws {
    func certificate(_ file: String, _ key: String, _ passphrase: String?) -> TLSPolicy {
      var certificate = ClientCertificate(certificateFile: file, keyFile: key)
      if let passphrase { certificate.passphrase = { passphrase } }
      return TLSPolicy(clientCertificate: certificate.opened)
    }
    let policies: [(TLSPolicy, String?)] = [
      (TLSPolicy(authorityFile: "s3cret\0.pem"), "TLSPolicy(authorityFile:)"),
      (certificate("s3cret\0.pem", "key.pem", nil), "ClientCertificate(certificateFile:)"),
      (certificate("own.pem", "s3cret\0.pem", nil), "ClientCertificate(keyFile:)"),
      (certificate("own.pem", "key.pem", "s3cret\0more"), "ClientCertificate(passphrase:)"),
      (certificate("own.pem", "key.pem", "s3cret"), nil), (TLSPolicy(authorityFile: "own.pem"), nil),
    ]
    for (policy, name) in policies {
      let cache = SiteCache(.init(tls: policy))
      let head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/")
      guard let name else {
        #expect(throws: Never.self) { try cache.site(of: head) }
        continue
      }
      let error = #expect(throws: NetworkError.self) { try cache.site(of: head) }
      #expect(error?.kind == .invalidRequest)
      #expect(error?.reason.contains("\(name) contains a null byte") == true, "\(name)")
      #expect(error?.reason.contains("s3cret") == false)
    }
  }

  @Test("A refused site is refused each time, and the previous one stays cached")
  func refusal() throws {
    let first = try site("a.test")
    for _ in 0..<2 { #expect(throws: NetworkError.self) { try site("a b") } }
    for _ in 0..<2 { #expect(throws: NetworkError.self) { try site(nil) } }
    #expect(try site("a.test") === first)
  }
}
