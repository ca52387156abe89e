import HTTPTypes
import Interception
import Testing

@testable import MessageSignatures

@Suite struct MessageComponentTests {
  private func component(_ text: String) throws -> MessageComponent {
    try MessageComponent(try StructuredFieldParser.item(text))
  }

  /// Components and their identifiers.
  static let identifiers: [(MessageComponent, String)] = [
    (.method, #""@method""#), (.targetURI, #""@target-uri""#), (.authority, #""@authority""#),
    (.scheme, #""@scheme""#), (.requestTarget, #""@request-target""#), (.path, #""@path""#),
    (.query, #""@query""#), (.status, #""@status""#), (.method.ofRequest, #""@method";req"#),
    (.queryParameter("façade\": "), #""@query-param";name="fa%C3%A7ade%22%3A%20""#),
    (.field(.contentType), #""content-type""#), (.field(.cacheControl, .structured), #""cache-control";sf"#),
    (.field(.cacheControl, .wrapped), #""cache-control";bs"#),
    (.field(.cacheControl, .member("max-age")), #""cache-control";key="max-age""#),
    (.field(.expires, inTrailers: true).ofRequest, #""expires";tr;req"#),
  ]

  @Test("An identifier is written as RFC 9421 says, and read again", arguments: identifiers)
  func identifier(_ component: MessageComponent, _ identifier: String) throws {
    #expect(component.identifier == identifier)
    #expect(try self.component(identifier) == component)
  }

  @Test("The order of parameters distinguishes identifiers, but not components")
  func order() throws {
    let (first, second) = (try component(#""a";bs;req"#), try component(#""a";req;bs"#))
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(first.identifier != second.identifier)
    #expect(try component(#""a";bs"#) != first)
  }

  /// Faulty identifiers and the rules that they violate.
  static let faults: [(String, MessageSignatureError.ComponentRule)] = [
    ("a", .identifierIsString), ("1", .identifierIsString), (#""A""#, .fieldNameInLowerCase),
    (#""""#, .fieldNameInLowerCase), (#""a b""#, .fieldNameInLowerCase),
    (#""@signature-params""#, .knownDerivedComponent),
    (#""@nonsense""#, .knownDerivedComponent), (#""a";x"#, .knownParameters),
    (#""a";sf=?0"#, .knownParameters),
    (#""a";key=b"#, .knownParameters), (#""a";name="b""#, .knownParameters),
    (#""@method";sf"#, .knownParameters),
    (#""@method";tr"#, .knownParameters), (#""@path";name="b""#, .knownParameters),
    (#""@query-param""#, .queryParameterHasName), (#""a";bs;sf"#, .wrappedIsNotStructured),
    (#""a";bs;key="b""#, .wrappedIsNotStructured),
  ]

  @Test("A faulty identifier names the rule that it violates", arguments: faults)
  func fault(_ text: String, _ rule: MessageSignatureError.ComponentRule) {
    #expect {
      try component(text)
    } throws: { error in
      guard case .invalidComponent(_, rule)? = (error as? MessageSignatureError)?.reason else { return false }
      return true
    }
  }

  @Test("A component includes another one only if it contains its whole value")
  func inclusion() {
    let field = MessageComponent.field(.cacheControl)
    let member = MessageComponent.field(.cacheControl, .member("max-age"))
    #expect(field.includes(field) && field.includes(member))
    #expect(MessageComponent.field(.cacheControl, .wrapped).includes(field))
    #expect(!member.includes(field))
    #expect(!member.includes(.field(.cacheControl, .member("public"))))
    #expect(!field.includes(field.ofRequest) && !field.ofRequest.includes(field))
    #expect(!field.includes(.field(.cacheControl, inTrailers: true)))
    #expect(!field.includes(.field(.contentType)))
    #expect(MessageComponent.query.includes(.queryParameter("a")))
    #expect(!MessageComponent.queryParameter("a").includes(.query))
    #expect(!MessageComponent.queryParameter("a").includes(.queryParameter("b")))
    #expect(MessageComponent.targetURI.includes(.authority) && !MessageComponent.targetURI.includes(.method))
    #expect(
      MessageComponent.requestTarget.includes(.path) && !MessageComponent.requestTarget.includes(.authority))
  }

  @Test("A long identifier of a peer is shortened in texts")
  func shortening() {
    let component = MessageComponent(.method, identifier: String(repeating: "x\n", count: 5_000))
    #expect(component.description.count == 80)
    #expect(!component.description.contains("\n"))
  }
}
