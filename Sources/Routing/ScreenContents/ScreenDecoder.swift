import BodyFormats
public import Mediation

/// Reads screens from documents, such as those of a server, and checks them whole before anything is shown.
///
/// A document is JSON: `{"version": 1, "title": "…", "blocks": [{"kind": "text", "text": "…"}]}`. The
/// article "ScreenDocuments" lists all of its parts. A block of an unknown kind is replaced by its
/// `fallback`, a list of blocks. Each route must open for the decoder's origin. Nothing in a document is
/// executed, and reading it has no effect.
///
/// A document has at most 1 MiB, and 32 arrays and objects nested within each other.
public struct ScreenDecoder: Sendable {
  /// The version of the vocabulary that this module knows.
  package static let version = 1
  /// The maximum number of bytes.
  package static let maximumLength = 1 << 20
  /// The maximum number of arrays and objects nested within each other.
  package static let maximumDepth = 32

  let mediator: Mediator
  let origin: Origin
  let kinds: [String: any AppContent.Type]

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - mediator: Has the route table that all routes of a document must be in.
  ///   - origin: The caller to which those routes must be exposed: an external one for documents of a server.
  ///   - kinds: The kinds of content that the app adds to the vocabulary.
  public init(routes mediator: Mediator, origin: Origin, kinds: [any AppContent.Type] = []) {
    self.mediator = mediator
    self.origin = origin
    self.kinds = Dictionary(kinds.map { ($0.kind, $0) }) { first, _ in first }
  }

  /// Reads a document of one screen.
  ///
  /// - Throws: A ``ScreenError`` for the first fault.
  public func screen(from bytes: [UInt8]) throws(ScreenError) -> ScreenContent {
    try read(bytes) { try ScreenReader(self).screen($0) }
  }

  /// Reads a document of several screens: an object whose keys are their names.
  ///
  /// - Throws: A ``ScreenError`` for the first fault in the order of the names; then none of the screens can
  ///   be shown.
  public func screens(from bytes: [UInt8]) throws(ScreenError) -> [String: ScreenContent] {
    try read(bytes) { document in
      let named = try [String: JSONDocument](json: document)
      var screens: [String: ScreenContent] = [:]
      for (name, screen) in named.sorted(by: { $0.key < $1.key }) {
        screens[name] = try ScreenReader(self).screen(screen)
      }
      return screens
    }
  }

  private func read<Value>(
    _ bytes: [UInt8], _ body: (JSONDocument) throws -> Value
  ) throws(ScreenError) -> Value {
    do {
      return try body(
        JSONDocument(bytes, maximumDepth: Self.maximumDepth, maximumLength: Self.maximumLength))
    } catch let fault as ScreenReader.Fault {
      throw ScreenError(fault.kind, fault.error, in: bytes)
    } catch let error as BodyDecodingError {
      throw ScreenError(error.isOfSyntax ? .malformed : .invalid, error, in: bytes)
    } catch {
      throw ScreenError(kind: .invalid, line: nil, field: nil, reason: "The screen cannot be read: \(error)")
    }
  }
}

extension ScreenError {
  fileprivate init(_ kind: Kind, _ error: BodyDecodingError, in bytes: [UInt8]) {
    self.init(
      kind: kind, line: error.offset.map { JSONDocument.line(at: $0, in: bytes) }, field: error.field,
      reason: error.reason)
  }
}

extension BodyDecodingError {
  /// Whether the bytes are no JSON that may be read at all.
  fileprivate var isOfSyntax: Bool {
    switch kind {
    case .missing, .mismatch: false
    default: true
    }
  }
}
