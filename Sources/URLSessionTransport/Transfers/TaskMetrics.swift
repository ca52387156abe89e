import Foundation
import Interception

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The system's measurements of a task, which Foundation on Linux never reports.
struct TaskMetrics: Sendable {
  let name: Duration?
  let connect: Duration?
  let tls: Duration?
  let version: TransportReport.HTTPVersion?
  let isReused: Bool

  init(_ metrics: URLSessionTaskMetrics) {
    let last = metrics.transactionMetrics.last
    name = Self.time(last?.domainLookupStartDate, last?.domainLookupEndDate)
    connect = Self.time(
      last?.connectStartDate, last?.secureConnectionStartDate ?? last?.connectEndDate)
    tls = Self.time(last?.secureConnectionStartDate, last?.secureConnectionEndDate)
    version =
      switch last?.networkProtocolName {
      case "http/1.1", "http/1.0": .http1
      case "h2": .http2
      case "h3": .http3
      default: nil
      }
    isReused = last?.isReusedConnection ?? false
  }

  private static func time(_ start: Date?, _ end: Date?) -> Duration? {
    guard let start, let end else { return nil }
    return .seconds(end.timeIntervalSince(start))
  }
}
