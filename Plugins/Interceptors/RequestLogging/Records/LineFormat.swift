import HTTPTypes
import Logging

/// What the lines of an interceptor show.
///
/// A class, so that each request retains one object instead of copying its parts.
final class LineFormat: Sendable {
  let redaction: Redaction
  let details: LogDetails
  let bodies: BodySampling
  /// The replacement for a hidden value, on one line.
  let mark: Logger.MetadataValue
  /// The fields whose values are shown; true for those that contain a URL.
  ///
  /// The decision is made once for each name, because it takes several look-ups.
  private let shownFields: [HTTPField.Name: Bool]

  init(redaction: Redaction, details: LogDetails, bodies: BodySampling) {
    self.redaction = redaction
    self.details = details
    self.bodies = bodies
    mark = .string(LogText.escaped(redaction.mark))
    shownFields = redaction.shownHeaders.reduce(into: [:]) { fields, name in
      if !redaction.hides(name) { fields[name] = Redaction.containsURL(name) }
    }
  }

  /// Returns a field's value, redacted and on one line.
  func value(of field: HTTPField) -> Logger.MetadataValue {
    guard let containsURL = shownFields[field.name] else { return mark }
    return .string(LogText.escaped(containsURL ? redaction.url(field.value) : field.value))
  }
}
