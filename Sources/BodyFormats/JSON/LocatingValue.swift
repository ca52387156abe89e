#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONCoding {
  /// Returns a decoder's error with the path to the field, if the decoder has left it out.
  ///
  /// Foundation's decoder (of Swift 6.3) reports a number that its type cannot represent, and a string with
  /// invalid escapes, as data that is not JSON, without a path. The value is then decoded once more, through
  /// containers that add their keys to such an error. Delete this when the decoder reports a path.
  static func located<Value: Decodable>(
    _ error: any Error, as type: Value.Type, in data: Data, by decoder: JSONDecoder
  ) -> any Error {
    guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty else {
      return error
    }
    do {
      _ = try decoder.decode(LocatingValue<Value>.self, from: data)
      return error
    } catch {
      return error
    }
  }
}

/// A value that is decoded through containers that add their keys to errors.
struct LocatingValue<Value: Decodable>: Decodable {
  let value: Value

  /// The number of keys up to which a fault is located; a path to a deeper fault ends there.
  static var maximumDepth: Int { 32 }

  init(from decoder: any Decoder) throws { value = try Value(from: LocatingDecoder(base: decoder)) }

  /// Decodes a value by a closure that decodes another type from the same place.
  static func decode(
    _ place: [any CodingKey], _ plain: () throws -> Value, _ locating: () throws -> LocatingValue<Value>
  ) throws -> Value {
    do {
      // Its containers take several times the stack of the decoder's own.
      if place.count > maximumDepth { return try plain() }
      // The decoder recognizes these types, and would not within another one.
      switch Value.self {
      case is Date.Type, is Data.Type, is URL.Type, is Decimal.Type: return try plain()
      default: return try locating().value
      }
    } catch {
      throw located(error, at: place)
    }
  }

  /// Returns an error with the path to the value at fault.
  ///
  /// Within its containers the decoder throws errors of an internal type for values that it cannot read.
  static func located(_ error: any Error, at place: [any CodingKey]) -> any Error {
    if error is BodyDecodingError { return error }
    if let error = error as? DecodingError {
      guard case .dataCorrupted(let context) = error, context.codingPath.isEmpty else { return error }
    }
    // The decoder has parsed the content, or it would not have asked for a value.
    guard !place.isEmpty else {
      return BodyDecodingError(.mismatch, "The content has a value that its type does not allow.")
    }
    return DecodingError.dataCorrupted(DecodingError.Context(codingPath: place, debugDescription: ""))
  }
}
