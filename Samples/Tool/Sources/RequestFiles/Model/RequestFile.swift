/// Requests and assertions that were read from a file.
package struct RequestFile: Sendable {
  /// The formats of request files.
  package enum Format: Sendable, Hashable {
    /// The format of hurl.
    case hurl
    /// The `.http` files of editors.
    case http

    /// Creates the format for the name of a file: `.http` and `.rest` are files of editors.
    package init(fileName: String) {
      let name = fileName.lowercased()
      self = name.hasSuffix(".http") || name.hasSuffix(".rest") ? .http : .hurl
    }
  }

  /// The maximum number of requests in a file.
  static let maximumEntries = 10_000

  /// The text of the file.
  package let source: SourceText
  package let format: Format
  /// The requests, in the order in which they are sent.
  package let entries: [Entry]
  /// The variables that the file defines; their values are computed when they are used.
  let definitions: [String: Template]

  /// Parses a file.
  ///
  /// - Throws: ``FileFault`` for the first line that is not understood.
  package init(_ source: SourceText, format: Format) throws(FileFault) {
    (self.source, self.format) = (source, format)
    switch format {
    case .hurl:
      var parser = HurlParser(source)
      (entries, definitions) = (try parser.entries(), [:])
    case .http:
      var parser = HTTPFileParser(source)
      (entries, definitions) = try parser.file()
    }
  }
}

extension RequestFile {
  /// Returns the name of an entry, or its method and its URL as they stand in the file.
  package func title(of entry: Entry) -> String {
    if let name = entry.name { return name }
    let url = source.scalars[entry.url.span.start..<entry.url.span.end].prefix(200)
    return "\(entry.method) \(String(String.UnicodeScalarView(url)))"
  }
}

/// A request with what is expected of its response.
package struct Entry: Sendable {
  /// The name that the file gives the request.
  package var name: String?
  /// Whether placeholders can name the request, as in `{{login.response.body.$.token}}`.
  var isReferable = false
  /// The place of its method.
  package var span: Span
  package var method: String
  var url: Template
  var fields: [Parameter] = []
  var query: [Parameter] = []
  var form: [Parameter]?
  var multipart: [MultipartParameter]?
  var cookies: [Parameter] = []
  var user: Parameter?
  var body: Body?
  var options: [Parameter] = []
  var expectation: Expectation?
}

/// A name with a value, of a header field, a form or an option.
struct Parameter: Sendable {
  let name: Template
  let value: Template

  /// The name without templates, for options.
  var plainName: String { name.plainText ?? "" }
}

/// A field of a multipart form.
struct MultipartParameter: Sendable {
  enum Content: Sendable {
    case text(Template)
    case file(Template, contentType: String?)
  }

  let name: Template
  let content: Content
}

/// A text with placeholders.
struct Template: Sendable {
  enum Part: Sendable {
    case text(String)
    case expression(Expression)
  }

  /// A placeholder, `{{name}}`.
  struct Expression: Sendable {
    let name: String
    let span: Span
  }

  var parts: [Part]
  let span: Span

  /// The text, if there are no placeholders.
  var plainText: String? {
    var text = ""
    for part in parts {
      guard case .text(let piece) = part else { return nil }
      text += piece
    }
    return text
  }
}

/// A content, of a request or of an expected response.
enum Body: Sendable {
  enum TextKind: Sendable {
    case plain
    case json
    case xml
    case graphQL
  }

  case text(Template, TextKind)
  case bytes([UInt8], Span)
  case file(Template)
  /// Text and files in turn, as in `.http` files; the text of a file may have placeholders.
  case pieces([Piece], lineEnd: String)

  enum Piece: Sendable {
    case line(Template)
    case file(Template, hasPlaceholders: Bool)
  }
}

/// What is expected of a response.
struct Expectation: Sendable {
  /// The version, such as "HTTP/2"; nil for any.
  var version: (text: String, span: Span)?
  /// The status; nil for any.
  var status: (code: Int, span: Span)?
  var fields: [Parameter] = []
  var captures: [Capture] = []
  var assertions: [Assertion] = []
  var body: Body?
  var bodySpan = Span.start
}

/// A variable that takes its value from a response.
struct Capture: Sendable {
  let name: String
  let nameSpan: Span
  let query: Query
  let isSecret: Bool
}

/// A query, and what its value must be.
struct Assertion: Sendable {
  let query: Query
  let predicate: Predicate
}

/// A value of a response, refined by filters.
struct Query: Sendable {
  enum Kind: Sendable {
    case status
    case version
    case url
    case address
    case header(Template)
    case cookie(Template)
    case body
    case bytes
    case jsonPath(Template)
    case regex(PatternSource)
    case variable(Template)
    case duration
    case digest(Digest)
  }

  let kind: Kind
  let filters: [Filter]
  let span: Span
}

/// A hash of a content.
package enum Digest: String, Sendable {
  case sha256
  case md5
}

/// A pattern, as a literal or as a text with placeholders.
enum PatternSource: Sendable {
  case literal(Pattern, Span)
  case template(Template)
}

/// A function of a query's value.
struct Filter: Sendable {
  enum Kind: Sendable {
    case base64Decode(isForURLs: Bool)
    case base64Encode(isForURLs: Bool)
    case count
    case days(isAfter: Bool)
    case decode(Template)
    case encode
    case first
    case last
    case nth(Int)
    case format(Template)
    case htmlEscape
    case htmlUnescape
    case jsonPath(Template)
    case regex(PatternSource)
    case replace(Template, Template)
    case replacePattern(PatternSource, Template)
    case split(Template)
    case toDate(Template)
    case toFloat
    case toHex
    case toInt
    case toText
    case urlDecode
    case urlEncode
    case queryParameter(Template)
  }

  let kind: Kind
  let name: String
  let span: Span
}

/// What the value of a query must be.
struct Predicate: Sendable {
  enum Kind: Sendable {
    case equal(Operand)
    case unequal(Operand)
    case greater(Operand)
    case greaterOrEqual(Operand)
    case less(Operand)
    case lessOrEqual(Operand)
    case hasPrefix(Operand)
    case hasSuffix(Operand)
    case contains(Operand)
    case includes(Operand)
    case matches(PatternSource)
    case exists
    case isEmpty
    case isType(TypeTest)
  }

  let isNegated: Bool
  let kind: Kind
  let span: Span
}

/// The kinds of values that predicates know, by their names in a file.
enum TypeTest: String, Sendable, CaseIterable {
  case isBoolean
  case isCollection
  case isDate
  case isFloat
  case isInteger
  case isIpv4
  case isIpv6
  case isIsoDate
  case isList
  case isNumber
  case isObject
  case isString
  case isUuid
}

/// The right side of a predicate.
enum Operand: Sendable {
  case value(Value)
  case text(Template)
  case expression(Template.Expression)
  case file(Template)
}
