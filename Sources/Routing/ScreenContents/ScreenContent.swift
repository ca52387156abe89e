public import Mediation

/// What a screen shows, as a value without markup, lines or layout, which each host of an app renders.
///
/// The app's own code creates it, or ``ScreenDecoder`` reads it from a document of a server. A host opens the
/// routes of its actions as the content's ``origin``: by `Mediator.receive(_:from:)` if that is external.
public struct ScreenContent: Sendable, Equatable {
  /// The title.
  public var title: String
  /// The URL that shows this content again; nil if that is the URL that opened the screen.
  public var address: String?
  /// What the screen shows, from top to bottom.
  public var blocks: [ContentBlock]
  /// What the user can do on the screen as a whole.
  public var actions: [ScreenAction]
  /// Whether a part of the content is being loaded.
  public var isLoading: Bool
  /// A sentence that says why the content may be out of date; nil if it is not.
  public var staleness: String?
  /// The caller as which a host opens the routes of the content.
  ///
  /// Content from a ``ScreenDecoder`` has the decoder's origin; other content is the app's own.
  public package(set) var origin = Origin.native(module: nil)

  /// Creates content of the app's own code.
  public init(
    title: String, address: String? = nil, blocks: [ContentBlock] = [], actions: [ScreenAction] = [],
    isLoading: Bool = false, staleness: String? = nil
  ) {
    self.title = title
    self.address = address
    self.blocks = blocks
    self.actions = actions
    self.isLoading = isLoading
    self.staleness = staleness
  }
}

/// A property with its value, or a choice of a field.
public struct Fact: Sendable, Equatable {
  /// The name of the property, such as `Bedrooms`; for a choice, the text that is shown.
  public var label: String
  /// The value, such as `3`; for a choice, the text in the query, which is left out if it is empty.
  public var value: String
  /// The unit, such as `bedrooms`; nil if the value has none.
  public var unit: String?

  /// Creates a fact.
  public init(_ label: String, _ value: String, unit: String? = nil) {
    self.label = label
    self.value = value
    self.unit = unit
  }
}
