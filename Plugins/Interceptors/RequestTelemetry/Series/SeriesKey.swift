#if Telemetry
import Interception

/// The labels of a metric: the API, and others from bounded sets.
protocol SeriesKey: Hashable, Sendable {
  var api: APIIdentity? { get set }
  /// The labels with their values.
  ///
  /// Every combination has the same labels, because some backends reject a metric whose labels vary.
  var dimensions: [(String, String)] { get }
}

extension SeriesKey {
  /// The same labels with the API `other`.
  var ofOtherAPI: Self {
    var copy = self
    copy.api = .other
    return copy
  }
}

extension APIIdentity {
  /// Stands for all APIs beyond the maximum number of combinations.
  static let other = APIIdentity(service: "other", name: "other")
}
#endif
