import HTTPTypes
import Interception

/// How an archived exchange ended.
enum ArchivedResult: Sendable {
  /// With a response; `bytes` is the length of its body, and `sample` the part to archive.
  case answered(HTTPResponse, bytes: Int64, sample: [UInt8], TransportReport?)
  /// With a response whose body failed or was not read completely.
  case interrupted(HTTPResponse, bytes: Int64, TransportReport?, NetworkError?)
  case failed(NetworkError)

  var transport: TransportReport? {
    switch self {
    case .answered(_, _, _, let transport), .interrupted(_, _, let transport, _): transport
    case .failed: nil
    }
  }
}
