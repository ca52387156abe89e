/// The differences between two texts, line by line.
struct LineDifference: Sendable, Hashable {
  /// A change to one line.
  private struct Change: Hashable {
    let sign: String
    let number: Int
    let text: String
  }

  /// The maximum number of changes shown.
  static let limit = 40

  /// The changes, each as one line: `-` or `+`, the line number in the respective text, and the line.
  let lines: [String]

  init(from old: String, to new: String) {
    func split(_ text: String) -> [Substring] {
      text.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let changes = split(new).difference(from: split(old)).map { change in
      switch change {
      case .remove(let offset, let line, _): Change(sign: "-", number: offset + 1, text: String(line))
      case .insert(let offset, let line, _): Change(sign: "+", number: offset + 1, text: String(line))
      }
    }
    .sorted { ($0.number, $1.sign) < ($1.number, $0.sign) }
    let shown = changes.prefix(Self.limit).map { "\($0.sign) \($0.number): \($0.text)" }
    let rest = changes.count - shown.count
    lines = shown + (rest > 0 ? ["… and \(rest) more"] : [])
  }
}
