package import APIManagers
import BodyCompression
import Interception

extension Endpoint {
  /// The endpoint with long bodies compressed, because the sample's server accepts gzip.
  package var compressed: Endpoint {
    var endpoint = self
    endpoint.context.requestCompression = .unlessRefused(.gzip)
    return endpoint
  }
}
