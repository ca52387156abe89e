import HTTPTypes
import Interception
import Testing

@testable import MessageSignatures

@Suite struct ComponentValuesTests {
  private func value(
    of component: MessageComponent, in message: SignableMessage, request: SignableMessage? = nil
  ) throws -> String {
    try ComponentValues(message: message, request: request, fieldTypes: [:]).value(of: component)
  }

  private func request(
    _ target: String = "/a?b=c", method: String = "GET", scheme: String = "https",
    host: String = "Example.COM",
    fields: [(name: String, value: String)] = []
  ) -> SignableMessage {
    SignableMessage(method: method, scheme: scheme, target: target, fields: [("Host", host)] + fields)
  }

  @Test("Both ways to create a message give the same values")
  func sameValues() throws {
    let head = HTTPRequest(
      method: .put, scheme: "HTTPS", authority: "Example.com:443", path: "/p/q?x=1&y",
      headerFields: [.contentType: "text/plain"])
    let lines = SignableMessage(
      method: "PUT", target: "/p/q?x=1&y",
      fields: [("Host", "example.com"), ("content-type", " text/plain\t")])
    let components: [MessageComponent] = [
      .method, .targetURI, .authority, .scheme, .requestTarget, .path, .query, .queryParameter("x"),
      .queryParameter("y"), .field(.contentType),
    ]
    for component in components {
      #expect(
        try value(of: component, in: SignableMessage(head)) == value(of: component, in: lines), "\(component)"
      )
    }
    #expect(try value(of: .targetURI, in: lines) == "https://example.com/p/q?x=1&y")
  }

  /// Authorities and their normalized forms.
  static let authorities: [(String, String, String)] = [
    ("https", "Example.COM:443", "example.com"), ("http", "example.com:80", "example.com"),
    ("https", "example.com:80", "example.com:80"), ("http", "example.com:443", "example.com:443"),
    ("https", "example.com:", "example.com"), ("https", "[2001:DB8::443]", "[2001:db8::443]"),
    ("https", "[::1]:443", "[::1]"), ("https", "a:8443", "a:8443"),
  ]

  @Test("The authority is in lower case, without the scheme's default port", arguments: authorities)
  func authority(_ scheme: String, _ host: String, _ expected: String) throws {
    #expect(try value(of: .authority, in: request(scheme: scheme, host: host)) == expected)
  }

  @Test("A target in absolute form takes precedence over Host")
  func absoluteForm() throws {
    let message = request("http://Real.example:80/x?y", host: "forged.example")
    #expect(try value(of: .authority, in: message) == "real.example")
    #expect(try value(of: .scheme, in: message) == "http")
    #expect(try value(of: .path, in: message) == "/x")
    #expect(try value(of: .query, in: message) == "?y")
  }

  @Test("A request with two Host fields has no authority")
  func twoHosts() {
    let message = request(fields: [("host", "other.example")])
    #expect(throws: MessageSignatureError(.missingComponent(.authority))) {
      try value(of: .authority, in: message)
    }
  }

  @Test("A parameter of the query is encoded again byte by byte, so that different bytes stay different")
  func queryParameters() throws {
    #expect(try value(of: .queryParameter("a"), in: request("/?a=%FF+%2b%zz")) == "%FF%20%2B%25zz")
    #expect(try value(of: .queryParameter("a b"), in: request("/?a+b=1&c")) == "1")
    #expect(throws: MessageSignatureError(.missingComponent(.queryParameter("b")))) {
      try value(of: .queryParameter("b"), in: request())
        + value(of: .queryParameter("b"), in: request("/a"))
    }
  }

  @Test("A line break in a value is refused, because it could forge a line of the base")
  func lineBreak() {
    for forged in ["x\n\"@method\": GET", "x\r\n\"@method\": GET", "x\ry", "x\u{0}y", "café"] {
      let message = request(fields: [("x-a", forged)])
      let component = MessageComponent.field(.init("x-a") ?? .accept)
      #expect(throws: MessageSignatureError(.invalidComponent("\"x-a\"", .printableValue)), "\(forged)") {
        try value(of: component, in: message)
      }
      #expect(throws: Never.self) {
        try value(of: .field(.init("x-a") ?? .accept, .wrapped), in: message)
      }
    }
  }

  @Test("A byte sequence covers the bytes of a field, which need not be UTF-8")
  func wrappedBytes() throws {
    let name = try #require(HTTPField.Name("x-a"))
    func wrapped(_ bytes: [UInt8]) throws -> String {
      let head = HTTPRequest(
        method: .get, scheme: "https", authority: "a.example", path: "/",
        headerFields: HTTPFields([HTTPField(name: name, value: bytes)]))
      return try value(of: .field(name, .wrapped), in: SignableMessage(head))
    }
    #expect(try wrapped([0x4A, 0xE9]) == ":Suk=:")
    #expect(try wrapped([0x4A, 0xC3, 0xA9]) == ":SsOp:")
  }

  @Test("A fold is one space")
  func folds() throws {
    let message = request(fields: [("x-a", " one \r\n\t two\r\n three "), ("x-a", "\r\n four")])
    #expect(try value(of: .field(.init("x-a") ?? .accept), in: message) == "one two three, four")
  }

  @Test("A component of the request is read from the request, and exists only for responses")
  func ofRequest() throws {
    let response = SignableMessage(status: 200, fields: [("x-a", "response")])
    let request = request(fields: [("x-a", "request")])
    let component = MessageComponent.field(.init("x-a") ?? .accept).ofRequest
    #expect(try value(of: component, in: response, request: request) == "request")
    #expect(throws: MessageSignatureError(.missingComponent(component))) {
      try value(of: component, in: response)
    }
    #expect(throws: MessageSignatureError(.invalidComponent(component.identifier, .requestOfResponse))) {
      try value(of: component, in: request, request: request)
    }
    #expect(throws: MessageSignatureError(.invalidComponent("\"@method\"", .partOfMessage))) {
      try value(of: .method, in: response, request: request)
    }
    #expect(throws: MessageSignatureError(.invalidComponent("\"@status\";req", .partOfMessage))) {
      try value(of: .status.ofRequest, in: response, request: request)
    }
  }

  @Test("The canonical form of a field requires its type")
  func fieldTypes() throws {
    let message = request(fields: [("x-a", "b , c"), ("priority", "u=1 ,  i")])
    let name = HTTPField.Name("x-a") ?? .accept
    let priority = HTTPField.Name("priority") ?? .accept
    #expect(try value(of: .field(priority, .structured), in: message) == "u=1, i")
    #expect(throws: MessageSignatureError(.invalidComponent("\"x-a\";sf", .knownFieldType))) {
      try value(of: .field(name, .structured), in: message)
    }
    let values = ComponentValues(message: message, request: nil, fieldTypes: ["x-a": .list])
    #expect(try values.value(of: .field(name, .structured)) == "b, c")
    #expect {
      try value(of: .field(priority, .member("u")), in: request(fields: [("priority", "{")]))
    } throws: { error in
      guard case .malformedField(priority, _, 0)? = (error as? MessageSignatureError)?.reason else {
        return false
      }
      return true
    }
  }

  @Test("Cookies are covered as they are sent: in one line, joined by semicolons")
  func cookies() throws {
    var head = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/")
    head.headerFields[.cookie] = "a=1; b=2"
    head.headerFields.append(HTTPField(name: .cookie, value: "c=3"))
    for (form, expected) in [
      (MessageComponent.FieldForm.combined, "a=1; b=2; c=3"), (.wrapped, ":YT0xOyBiPTI7IGM9Mw==:"),
    ] {
      let values = ComponentValues(message: SignableMessage(head), request: nil, fieldTypes: [:])
      #expect(try values.value(of: .field(.cookie, form)) == expected)
    }
  }
}
