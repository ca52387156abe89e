/// An operation of a document, as it is generated.
struct OperationPlan: Sendable {
  /// The name of its type.
  var name: String
  /// The name of its endpoint.
  var id: String
  var method: String
  var path: [PathPiece]
  /// The fields of a query that stand in the path itself.
  var constants: [Constant]
  var doc: [String]
  var params: [Param]
  var body: Body?
  var successes: [Outcome]
  var failures: [Outcome]
  var isAnonymous: Bool
  /// How the pages of its list follow one another; nil if no rule says it.
  var paging: Paging?
  /// The response of the stub.
  var stub: StubResponse

  struct Constant: Sendable {
    let key: String
    let value: String
  }

  enum PathPiece: Sendable {
    case literal(String)
    /// The name of a param.
    case param(String)
  }

  enum Place: Sendable { case path, query, header, field, part }

  /// How a param with several values is written.
  enum Style: Sendable, Hashable {
    case single
    case repeated
    case joined(String)
    /// Written by the names of an object's properties, in brackets if it is deep.
    case composed(isDeep: Bool, explodes: Bool)
    case json
    case file
  }

  struct Param: Sendable {
    var key: String
    var name: String
    var place: Place
    var style: Style
    var type: SwiftType
    var isFile = false
    var isRequired: Bool
    var doc: [String]
    /// An example in JSON, by which the stub's calls are made.
    var example: String?

    var typeCode: String { (isFile ? fileCode : type.code) + (isRequired ? "" : "?") }
    private var fileCode: String { style == .repeated ? "[FileContent]" : "FileContent" }
  }

  struct Body: Sendable {
    var kind: Kind
    var isRequired: Bool
    var doc: [String]
    var example: String?

    enum Kind: Sendable {
      case json(SwiftType, contentType: String)
      case raw(contentType: String)
      case form
      case multipart
    }
  }

  /// The responses of a status, or of several.
  struct Outcome: Sendable {
    /// A status, such as 404, a class of them, such as 4XX, or "default".
    var status: String
    var content: Content
    var caseName: String

    enum Content: Sendable, Hashable {
      case none, text, bytes
      case json(SwiftType, isNullable: Bool)

      var code: String? {
        switch self {
        case .none: nil
        case .text: "String"
        case .bytes: "APIResponse"
        case .json(let type, let isNullable): type.code + (isNullable ? "?" : "")
        }
      }
    }
  }

  /// The names of the properties and params by which pages are requested.
  struct Paging: Sendable {
    enum Next: Sendable, Hashable {
      case whileFull
      case cursor(String)
      case total(String)
    }

    var items: String
    var areItemsOptional: Bool
    var itemType: String
    var cursorParam: String?
    var pageParam: String?
    var offsetParam: String?
    var sizeParam: String?
    var next = Next.whileFull
  }

  struct StubResponse: Sendable {
    var status: Int
    var contentType: String?
    var content: String
  }
}
