#if Telemetry
import Interception

/// The labels of a request's metric.
struct RequestKey: SeriesKey {
  var api: APIIdentity?
  let method: MethodLabel
  let statusClass: String
  let errorType: String

  var dimensions: [(String, String)] {
    [
      ("peer.service", api?.service ?? "none"), ("switchyard.api", api?.name ?? "none"),
      ("http.request.method", method.name), ("http.response.status_class", statusClass),
      ("error.type", errorType),
    ]
  }
}
#endif
