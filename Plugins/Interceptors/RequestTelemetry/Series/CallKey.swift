#if Telemetry
import Interception

/// The labels of a call's metric.
struct CallKey: SeriesKey {
  var api: APIIdentity?
  let source: ResponseSource
  let statusClass: String
  let errorType: String

  var dimensions: [(String, String)] {
    [
      ("peer.service", api?.service ?? "none"), ("switchyard.api", api?.name ?? "none"),
      ("switchyard.source", source.rawValue), ("http.response.status_class", statusClass),
      ("error.type", errorType),
    ]
  }
}
#endif
