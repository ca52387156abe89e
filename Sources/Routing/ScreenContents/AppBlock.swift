/// Content of a kind that an app adds to the vocabulary, such as a map.
///
/// ``ScreenDecoder`` reads it, by its conformance to `Decodable`, from the `content` of a block of this kind.
/// Properties of the types that this module declares are not `Codable`: content consists of the app's types.
public protocol AppContent: Codable, Equatable, Sendable {
  /// The word for it in a document; none of the module's own.
  static var kind: String { get }
  /// All that the user can do with it, so that the routes can be checked.
  var actions: [ScreenAction] { get }
}

/// A block whose content is of a kind that the app has added.
public struct AppBlock: Sendable, Equatable {
  /// The content.
  public let content: any AppContent

  /// Creates a block.
  public init(_ content: any AppContent) { self.content = content }

  /// Compares the contents.
  public static func == (left: AppBlock, right: AppBlock) -> Bool { isEqual(left.content, right.content) }

  private static func isEqual<Content: AppContent>(_ left: Content, _ right: any AppContent) -> Bool {
    right as? Content == left
  }
}
