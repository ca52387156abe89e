public import Mediation

/// The request that a screen declared by a URL pattern is made for.
public struct ScreenRequest: Sendable {
  /// The URL, including its whole query and its fragment.
  package let url: RouteURL
  /// The decoded text of each placeholder that has a value, except for a tail.
  ///
  /// Read the segments of a tail with `input.rest(_:)`: a segment may contain a slash, so a joined text would
  /// be the same for different URLs.
  public let params: [String: String]
  /// The context of the call: its caller, and access to other routes.
  public let context: RouteContext
  /// The placeholder values by name, with their types.
  public let input: RouteInput

  init(_ input: RouteInput, _ context: RouteContext) {
    url = input.url
    self.input = input
    self.context = context
    var params: [String: String] = [:]
    for name in input.pattern.parameterNames where name != input.pattern.tailName {
      if let text = try? input.all(name, as: String.self).first { params[name] = text }
    }
    self.params = params
  }
}
