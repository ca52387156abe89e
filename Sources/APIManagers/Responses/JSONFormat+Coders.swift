#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONFormat {
  /// Returns a decoder of the format.
  func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    switch keys {
    case .asCoded: decoder.keyDecodingStrategy = .useDefaultKeys
    case .snakeCase: decoder.keyDecodingStrategy = .convertFromSnakeCase
    }
    switch dates {
    case .rfc3339: decoder.dateDecodingStrategy = .iso8601
    case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
    case .millisecondsSince1970: decoder.dateDecodingStrategy = .millisecondsSince1970
    }
    return decoder
  }

  /// Sets the strategies of an encoder.
  func apply(to encoder: JSONEncoder) {
    switch keys {
    case .asCoded: encoder.keyEncodingStrategy = .useDefaultKeys
    case .snakeCase: encoder.keyEncodingStrategy = .convertToSnakeCase
    }
    switch dates {
    case .rfc3339: encoder.dateEncodingStrategy = .iso8601
    case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
    case .millisecondsSince1970: encoder.dateEncodingStrategy = .millisecondsSince1970
    }
  }
}
