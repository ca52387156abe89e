#if Telemetry
import HTTPTypes
import Tracing

/// Collects the header fields that an instrument writes, such as `traceparent`.
struct FieldInjector: Injector {
  /// The fields that were written.
  struct Carrier: Sendable {
    let acceptsBaggage: Bool
    var fields: [HTTPField] = []
  }

  /// Adds a field, unless its name or value isn't legal, or it is baggage (W3C Baggage) that isn't accepted.
  func inject(_ value: String, forKey key: String, into carrier: inout Carrier) {
    guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
    guard carrier.acceptsBaggage || name.canonicalName != "baggage" else { return }
    carrier.fields.append(HTTPField(name: name, value: value))
  }
}
#endif
