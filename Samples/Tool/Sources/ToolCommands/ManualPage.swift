import Foundation

/// A manual page of a program, written from the description that its argument parser gives of it.
///
/// Nothing of it is written by hand, so it can't disagree with `--help`.
public struct ManualPage: Sendable {
  private let command: CommandDescription
  private let version: String

  /// Reads a description in the form of ArgumentParser's `--experimental-dump-help`.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/other``.
  public init(description: String, version: String) throws(ToolFailure) {
    do {
      command = try JSONDecoder().decode(ToolDescription.self, from: Data(description.utf8)).command
    } catch {
      throw ToolFailure(.other, "The description of the commands has an unknown form; report this.")
    }
    self.version = version
  }

  /// The page in the language of `man` (roff with the macros of man(7)).
  public var text: String {
    let name = command.commandName
    var lines = [
      ".TH \(Roff.word(name.uppercased())) 1 \"\" \(Roff.word("\(name) \(version)")) \"User Commands\"",
      ".SH NAME", "\(Roff.text(name)) \\- \(Roff.text(command.abstract ?? ""))",
      ".SH SYNOPSIS", ".B \(Roff.text(name))", "\\fIcommand\\fR [\\fIoptions\\fR]",
    ]
    if let discussion = command.discussion {
      lines.append(".SH DESCRIPTION")
      lines += Roff.paragraphs(discussion)
    }
    lines.append(".SH COMMANDS")
    for subcommand in command.shownCommands { lines += section(of: subcommand, after: name) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(of command: CommandDescription, after path: String) -> [String] {
    let name = "\(path) \(command.commandName)"
    guard command.shownCommands.isEmpty else {
      return command.shownCommands.flatMap { section(of: $0, after: name) }
    }
    var lines = [".SS \(Roff.word(name + command.operands))"]
    if let abstract = command.abstract { lines += Roff.paragraphs(abstract) }
    if let discussion = command.discussion { lines += [".PP"] + Roff.paragraphs(discussion) }
    for argument in command.arguments ?? [] where argument.isShown {
      lines += [".TP", argument.roff]
      lines += Roff.paragraphs(argument.explanation)
    }
    return lines
  }
}

/// What is read of ArgumentParser's description.
private struct ToolDescription: Decodable {
  let command: CommandDescription
}

private struct CommandDescription: Decodable {
  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool?
  let arguments: [ArgumentDescription]?
  let subcommands: [CommandDescription]?

  var shownCommands: [CommandDescription] {
    (subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
  }

  /// The arguments without a name, as in a synopsis.
  var operands: String {
    let operands = (arguments ?? []).filter { $0.kind == "positional" && $0.isShown }
    return operands.map { argument in
      let name = (argument.valueName ?? "argument") + (argument.isRepeating ? "…" : "")
      return argument.isOptional ? " [\(name)]" : " \(name)"
    }.joined()
  }
}

private struct ArgumentDescription: Decodable {
  struct Name: Decodable {
    let kind: String
    let name: String
  }

  let kind: String
  let names: [Name]?
  let valueName: String?
  let abstract: String?
  let discussion: String?
  let defaultValue: String?
  let allValues: [String]?
  let isOptional: Bool
  let isRepeating: Bool
  let shouldDisplay: Bool

  /// Whether it is described; `--help` and `--version` need no description for each command.
  var isShown: Bool { shouldDisplay && !(names ?? []).contains { $0.name == "help" || $0.name == "version" } }

  /// The names in bold, and the value in italics.
  var roff: String {
    guard kind != "positional" else { return "\\fI\(Roff.text(valueName ?? "argument"))\\fR" }
    let names = (names ?? []).map { "\\fB\(Roff.text(($0.kind == "long" ? "--" : "-") + $0.name))\\fR" }
    let value = kind == "option" ? " \\fI\(Roff.text(valueName ?? "value"))\\fR" : ""
    return names.joined(separator: ", ") + value
  }

  var explanation: String {
    var parts = [abstract, discussion].compactMap { $0 }
    if let allValues, !allValues.isEmpty { parts.append("Values: \(allValues.joined(separator: ", ")).") }
    if let defaultValue { parts.append("Default: \(defaultValue).") }
    return parts.joined(separator: " ")
  }
}

/// Text for `man`.
private enum Roff {
  /// Returns a text in which nothing is a request or an escape of roff.
  static func text(_ text: String) -> String {
    let escaped = Printable.text(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
    // At the beginning of a line they begin a request.
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// Returns a text as one argument of a request.
  static func word(_ text: String) -> String { "\"\(Self.text(text).replacing("\"", with: "\\(dq"))\"" }

  /// Returns lines of text: paragraphs as they flow, indented ones as they are.
  static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isLiteral = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.first == " "
      if isIndented != isLiteral {
        lines.append(isIndented ? ".nf" : ".fi")
        isLiteral = isIndented
      }
      lines.append(line.isEmpty ? ".PP" : Self.text(String(line)))
    }
    return isLiteral ? lines + [".fi"] : lines
  }
}
