/// The content of a response as a terminal shows it: JSON in colours and folded, other text with its control
/// characters visible, binary content not at all.
///
/// It holds at most ``JSONLayout/maximumBytes`` of JSON until the end; everything else is shown as it
/// arrives.
public struct TerminalContent: Sendable {
  /// What is known of the content and of the terminal.
  public struct Setting: Sendable {
    /// The media type, as the server states it.
    public var mediaType: String?
    /// The length, if the server states it.
    public var length: Int64?
    /// The colours.
    public var ink: Ink
    /// The width of the terminal.
    public var width: Int
    /// The number of lines to which JSON is folded; nil to show all.
    public var maximumLines: Int?

    /// Creates a setting.
    public init(
      mediaType: String? = nil, length: Int64? = nil, ink: Ink, width: Int = 80, maximumLines: Int? = nil
    ) {
      (self.mediaType, self.length, self.ink) = (mediaType, length, ink)
      (self.width, self.maximumLines) = (width, maximumLines)
    }
  }

  private enum State {
    case undecided
    case collecting([UInt8])
    case showing
  }

  private let setting: Setting
  private var state = State.undecided
  private var visible = VisibleText()
  /// A remark for standard error, when the content could not be laid out.
  public private(set) var note: String?

  /// Creates an empty content.
  public init(_ setting: Setting) { self.setting = setting }

  /// Returns what the terminal shows of the next bytes.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/unwritable`` if the content is binary.
  public mutating func text(of bytes: [UInt8]) throws(ToolFailure) -> String {
    guard !bytes.isEmpty else { return "" }
    switch state {
    case .undecided:
      guard !BinaryContent.isLikely(bytes) else { throw binaryFailure }
      guard Self.mayBeJSON(setting.mediaType, bytes) else {
        state = .showing
        return visible.text(of: bytes)
      }
      return collect(bytes, after: [])
    case .collecting(let former):
      // The copy of the array in `state` would make each addition copy it.
      state = .undecided
      return collect(bytes, after: former)
    case .showing: return visible.text(of: bytes)
    }
  }

  /// Returns what is left to show at the end, or when the rest could not be received.
  ///
  /// - Parameter isComplete: Whether the content is complete; otherwise it is shown as it is.
  public mutating func rest(isComplete: Bool = true) -> String {
    var text = ""
    if case .collecting(let bytes) = state {
      if isComplete, let tree = JSONTree(bytes) { return laidOut(tree) }
      if isComplete, Self.isNamedJSON(setting.mediaType) {
        note = "the content is not valid JSON, or nested too deeply, and is shown as it is"
      }
      text = visible.text(of: bytes)
    }
    state = .showing
    text += visible.rest()
    return visible.isAtLineStart ? text : text + "\n"
  }

  private mutating func collect(_ bytes: [UInt8], after former: consuming [UInt8]) -> String {
    former += bytes
    guard former.count > JSONLayout.maximumBytes else {
      state = .collecting(former)
      return ""
    }
    state = .showing
    note = "JSON of more than \(Figures.bytes(Int64(JSONLayout.maximumBytes))) is shown as it is"
    return visible.text(of: former)
  }

  private func laidOut(_ tree: JSONTree) -> String {
    let layout = JSONLayout(
      tree, ink: setting.ink, maximumLines: setting.maximumLines, width: setting.width)
    let lines = layout.isFolded ? layout.lines + [layout.note(setting.ink)] : layout.lines
    return lines.map { $0 + "\n" }.joined()
  }

  private var binaryFailure: ToolFailure {
    let type = setting.mediaType.map { Printable.text(String($0.prefix(100))) } ?? "of no stated type"
    let size = setting.length.map { Figures.bytes($0) } ?? "of unknown length"
    return ToolFailure(
      .unwritable,
      "The content is binary (\(type), \(size)), which could garble the terminal; write it to a file with -o FILE."
    )
  }

  /// Whether content is JSON by its type; if it has none, by its first character.
  private static func mayBeJSON(_ mediaType: String?, _ bytes: [UInt8]) -> Bool {
    guard mediaType == nil else { return isNamedJSON(mediaType) }
    let first = bytes.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func isNamedJSON(_ mediaType: String?) -> Bool {
    let essence = (mediaType ?? "").prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    return essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
  }
}
