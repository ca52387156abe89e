#if Telemetry
import Interception

/// The names of spans, from a bounded set.
enum SpanName {
  /// The method, and the API if it is known.
  static func request(_ method: MethodLabel, _ api: APIIdentity?) -> String {
    // OpenTelemetry's HTTP conventions: "HTTP" stands for a method that isn't known.
    let name = method.isKnown ? method.name : "HTTP"
    return api.map { name + " " + $0.service + "/" + $0.name } ?? name
  }

  /// The API if it is known.
  static func call(_ api: APIIdentity?) -> String { api.map { $0.service + "/" + $0.name } ?? "HTTP call" }
}
#endif
