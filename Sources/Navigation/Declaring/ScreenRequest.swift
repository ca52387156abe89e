public import Mediation

/// What a screen that is declared by a pattern is asked for.
public struct ScreenRequest: Sendable {
  /// The URL, with its whole query and its fragment.
  public let url: RouteURL
  /// The text of each placeholder of the pattern that has one, decoded; a tail is joined by `/`.
  public let params: [String: String]
  /// The call: who asked, and the way to other routes.
  public let context: RouteContext
  /// The placeholders by name, with their types.
  public let input: RouteInput

  init(_ input: RouteInput, _ context: RouteContext) {
    url = input.url
    self.input = input
    self.context = context
    var params: [String: String] = [:]
    for name in input.pattern.parameterNames {
      if let tail = try? input.rest(name) {
        params[name] = tail.joined(separator: "/")
      } else if let text = try? input.all(name, as: String.self).first {
        params[name] = text
      }
    }
    self.params = params
  }
}
