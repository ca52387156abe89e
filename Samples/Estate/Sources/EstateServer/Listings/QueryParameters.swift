import Foundation

/// The parameters of a query in the encoding of forms.
package struct QueryParameters: Sendable, Equatable {
  private var values: [String: [String]] = [:]

  /// Splits and decodes a raw query; `+` is a space, `%41` an A.
  ///
  /// Throws 400 `bad_parameter` for a malformed percent escape, for more than 64 parameters and for invalid
  /// UTF-8.
  package init(rawQuery: String?) throws(APIError) {
    let pairs = (rawQuery ?? "").split(separator: "&")
    guard pairs.count <= 64 else { throw .badParameter("A query may have 64 parameters at most.") }
    for pair in pairs {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try Self.decoded(parts[0])
      values[name, default: []].append(parts.count == 2 ? try Self.decoded(parts[1]) : "")
    }
  }

  /// Returns the value of a parameter, or `nil`; throws 400 if it occurs more than once.
  package func value(_ name: String) throws(APIError) -> String? {
    guard let all = values[name] else { return nil }
    guard all.count == 1 else { throw .badParameter("\(name) is given \(all.count) times.") }
    return all[0]
  }

  private static func decoded(_ text: Substring) throws(APIError) -> String {
    let spaced = text.replacing("+", with: " ")
    guard let decoded = String(spaced).removingPercentEncoding else {
      throw .badParameter("'\(text.prefix(40))' in the query is not percent-encoded UTF-8.")
    }
    return decoded
  }
}
