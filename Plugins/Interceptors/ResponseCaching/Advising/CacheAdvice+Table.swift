extension CacheAdvice: CustomStringConvertible {
  /// The table: a row for each limit, with the hit ratio of each policy in percent.
  public var description: String {
    var rows = [["limit"] + policies.map(\.rawValue)]
    for limit in limits {
      rows.append(
        [Self.size(limit)]
          + policies.map { policy in
            Self.percent(result(of: policy, bytes: limit)?.hitRatio ?? 0)
          })
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].utf8.count }.max() ?? 0 }
    let lines = rows.map { row in
      zip(row, widths).map { text, width in
        String(repeating: " ", count: width - text.utf8.count) + text
      }.joined(separator: "  ")
    }
    let ratio = requests == 0 ? 0 : Double(recordedHits) / Double(requests)
    let summary =
      "\(requests) requests, \(distinctRequests) of them different; hits of the run: \(Self.percent(ratio)) %"
    return ([summary, "hit ratio in percent:"] + lines).joined(separator: "\n") + "\n"
  }

  /// Returns a share in percent with one decimal.
  static func percent(_ ratio: Double) -> String { decimal(100 * ratio) }

  /// Returns a size in the largest unit in which it is at least one.
  static func size(_ bytes: Int) -> String {
    var value = Double(bytes)
    for unit in ["B", "KiB", "MiB", "GiB"] {
      if value < 1_024 || unit == "GiB" {
        let text = decimal(value)
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " " + unit
      }
      value /= 1_024
    }
    return ""
  }

  /// Returns a positive number, rounded to one decimal.
  static func decimal(_ value: Double) -> String {
    let tenths = Int((10 * value).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
