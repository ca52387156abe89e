import Foundation

@testable import Interception
@testable import RedirectFollowing

extension FuzzTarget {
  static let requestURL = FuzzTarget(
    name: "request-url", reads: "URLs of requests", maximumLength: 9_000,
    seeds: texts(
      "https://api.example.com/homes/42?fields=street", "HTTP://A.example:80", "https://[::1]:8443/ä?ö#x",
      "https://u:p@h/", "https://a:b/", "ftp://x//y?%"),
    words: ["://", "https", "[::1]", ":443", "@", "?", "#", "%", "é"]
  ) { bytes in
    guard let url = try? AbsoluteURL(text(bytes)) else { return }
    let printed = "\(url.scheme)://\(url.authority)\(url.path)"
    try require(try? AbsoluteURL(printed), equals: url, "The parts of a request's URL, put together, are it.")
    let request = try Request(printed)
    let origin = RequestOrigin(request.head)
    // Several ports are left to the dispatcher to refuse.
    let ports = url.authority.utf8.reversed().prefix { $0 != UInt8(ascii: "]") }.count {
      $0 == UInt8(ascii: ":")
    }
    if ports <= 1, let again = try? Request(origin.description) {
      try require(RequestOrigin(again.head), equals: origin, "The origin of an origin's URL is the origin.")
    }
    guard let other = URLComponents(string: printed, encodingInvalidCharacters: false) else { return }
    let query = other.percentEncodedQuery.map { "?\($0)" } ?? ""
    try require(url.path, equals: other.percentEncodedPath + query, "Foundation reads the same path.")
    if let host = other.encodedHost, !host.isEmpty {
      let port = other.port.map { ":\($0)" } ?? ""
      let authority = url.authority.hasSuffix(":") ? String(url.authority.dropLast()) : url.authority
      // Foundation's port is a number, so that leading zeros are lost, and one beyond its range altogether.
      if !url.authority.contains(":0"), ports == 0 || port.count > 1 || authority.hasSuffix(":") {
        try require(authority, equals: host + port, "Foundation reads the same host and port.")
      }
    }
  }

  static let uriReference = FuzzTarget(
    name: "uri-reference", reads: "references in Location fields",
    seeds: texts(
      "../g?y#s", "//g/./../x", "http:g", "https://a.example:443/../b", "?y", "#s", "g;x=1/../y",
      "/a/b/c/./../../g", "https://[::ffff:127.0.0.1]/", "http://0x7f.1/", "https://h:/", "a b\\é"),
    words: ["../", "./", "//", "?", "#", ":", "https://", "[::1]", "127.0.0.1", "%2e", "@", "localhost"]
  ) { bytes in
    let reference = URIReference(text(bytes))
    try require(reference.description, equals: text(bytes), "The parts of a reference, put together, are it.")
    let path = URIReference.removingDotSegments(reference.path)
    try require(
      path, equals: withoutDotSegments(reference.path), "Dot segments are removed as RFC 3986 says.")
    try require(
      URIReference.removingDotSegments(path), equals: path, "A path without dot segments stays as it is.")
    guard let location = LocationText.encoded(bytes) else { return }
    try require(LocationText.encoded(location.utf8), equals: location, "An encoded location stays as it is.")
    let base = URIReference("http://a/b/c/d;p?q")
    guard let target = try? RedirectTarget(URIReference(location).resolved(against: base)) else { return }
    try require(
      try? RedirectTarget(URIReference(target.url)), equals: target, "The URL of a redirect is the redirect.")
    guard let other = URLComponents(string: target.url, encodingInvalidCharacters: false) else { return }
    try require(target.host, equals: other.encodedHost ?? "", "Foundation connects to the same host.")
    try require(target.port, equals: other.port, "Foundation connects to the same port.")
    try require(
      isAddressOfResolvers(target.host) == nil || IPAddress(target.host) != nil,
      "What a resolver reads as an address is read as that address.", target.host)
  }

  /// The algorithm of RFC 3986, section 5.2.4, as it is written there; it takes quadratic time.
  private static func withoutDotSegments(_ path: String) -> String {
    var input = Array(path.utf8)
    var output: [UInt8] = []
    let slash = UInt8(ascii: "/")
    func removeLast() { output.removeSubrange((output.lastIndex(of: slash) ?? output.startIndex)...) }
    while !input.isEmpty {
      if input.starts(with: "../".utf8) {
        input.removeFirst(3)
      } else if input.starts(with: "./".utf8) {
        input.removeFirst(2)
      } else if input.starts(with: "/./".utf8) {
        input.replaceSubrange(0..<3, with: [slash])
      } else if input.elementsEqual("/.".utf8) {
        input = [slash]
      } else if input.starts(with: "/../".utf8) {
        input.replaceSubrange(0..<4, with: [slash])
        removeLast()
      } else if input.elementsEqual("/..".utf8) {
        input = [slash]
        removeLast()
      } else if input.elementsEqual(".".utf8) || input.elementsEqual("..".utf8) {
        input = []
      } else {
        let end = input.dropFirst().firstIndex(of: slash) ?? input.endIndex
        output += input[..<end]
        input.removeSubrange(..<end)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the IPv4 address that the C library's resolver reads a host as, without looking it up.
  static func isAddressOfResolvers(_ host: String) -> UInt32? {
    var address = in_addr()
    guard !host.utf8.contains(where: { $0 <= 0x20 }), inet_aton(host, &address) != 0 else { return nil }
    return UInt32(bigEndian: address.s_addr)
  }
}
