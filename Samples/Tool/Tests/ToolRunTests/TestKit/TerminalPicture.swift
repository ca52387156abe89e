/// What a terminal shows of some commands, as SVG: one command appears after the other.
struct TerminalPicture {
  /// A command line, and what the program wrote for it, with the escape sequences of its colours.
  struct Command {
    let line: String
    let output: String
  }

  /// The width and the height of a character, in pixels.
  private static let (width, height, margin) = (8.4, 20, 16)
  private static let colors = [
    "31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "36": "#76e3ea",
  ]

  let title: String
  let columns: Int
  let commands: [Command]

  /// The picture.
  ///
  /// A reader that prefers no motion sees all of it at once.
  var svg: String {
    var row = 0
    var groups = ""
    for (index, command) in commands.enumerated() {
      var lines = ["<tspan fill=\"#8b949e\">$ </tspan>\(Self.escaped(command.line))"]
      let output = command.output.replacing("\r\n", with: "\n")
      lines += output.split(separator: "\n").map { Self.spans(String($0)) }
      groups += "<g style=\"animation-delay:\(Double(index) * 1.5)s\">\n"
      for line in lines {
        row += 1
        groups += "<text x=\"\(Self.margin)\" y=\"\(row * Self.height + Self.margin / 2)\">\(line)</text>\n"
      }
      groups += "</g>\n"
    }
    let (width, height) = (
      Int(Double(columns) * Self.width) + 2 * Self.margin, row * Self.height + 2 * Self.margin
    )
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" role="img">
      <title>\(Self.escaped(title))</title>
      <style>
      text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre }
      g { animation: appear 0.2s both }
      @keyframes appear { from { opacity: 0 } to { opacity: 1 } }
      @media (prefers-reduced-motion: reduce) { g { animation: none } }
      </style>
      <rect width="100%" height="100%" rx="8" fill="#0d1117"/>
      \(groups)</svg>

      """
  }

  /// A line, with its colours as spans.
  private static func spans(_ line: String) -> String {
    var parts = line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).map(String.init)
    var text = escaped(parts.removeFirst())
    for part in parts {
      let code = String(part.prefix { $0 != "m" })
      let rest = escaped(String(part.dropFirst(code.count + 1)))
      text += colors[code].map { "<tspan fill=\"\($0)\">\(rest)</tspan>" } ?? rest
    }
    return text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
