import ArgumentParser
import BodyFormats
import HTTPTypes
import Interception
import ToolCommands

/// The content of a request.
struct ContentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "JSON to send; @FILE reads it from a file, - from standard input.", valueName: "text|@file|-"))
  var json: String?

  @Option(
    help: ArgumentHelp("A file to send as it is; - for standard input.", valueName: "path"),
    completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp(
      "A field of a form; @FILE sends a file, as multipart/form-data.", valueName: "name=value|name=@file"))
  var form: [String] = []

  @Option(
    help: ArgumentHelp(
      "Waits so long for the server to agree to the content, before it is sent (Expect: 100-continue).",
      valueName: "seconds"))
  var expectContinue: Double?

  func validate() throws {
    guard expectContinue.map({ $0 > 0 && $0 < 1e7 }) ?? true else {
      throw ValidationError("--expect-continue must be a number of seconds above 0.")
    }
    let count = [json != nil, file != nil, !form.isEmpty].count { $0 }
    guard count <= 1 else { throw ValidationError("--json, --file and --form exclude each other.") }
  }

  /// Where curl would take the content from.
  var curlContent: CurlLine.Content {
    get throws(ToolFailure) {
      if let file { return .file(file) }
      if let json, json == "-" || json.utf8.first == UInt8(ascii: "@") {
        return .file(json == "-" ? "-" : String(json.dropFirst()))
      }
      var fields: [FormArgument] = []
      for text in form { fields.append(try FormArgument(text)) }
      return FormArgument.needsParts(fields) ? .parts(fields) : .body
    }
  }

  /// Sets the content of a request and its `Content-Type`.
  ///
  /// - Parameter readsInput: Whether standard input is read if it is named; false if nothing is sent.
  func apply(to request: inout Request, readsInput: Bool = true) throws {
    request.options.continueTimeout = expectContinue.map { .seconds($0) }
    if let json {
      let bytes = json == "-" && !readsInput ? [] : try Self.bytes(json)
      request.setContent(try RequestContent(.bytes(bytes), contentType: "application/json"))
      request.head.headerFields[.accept] = "application/json"
    } else if let file {
      let body: RequestBody
      if file == "-" {
        body = .bytes(readsInput ? try InputFile.bytes(of: file) : [])
      } else {
        try InputFile.check(file)
        body = try .file(file)
      }
      request.setContent(try RequestContent(body, contentType: "application/octet-stream"))
    } else if !form.isEmpty {
      request.setContent(try content(of: form.map { text throws(ToolFailure) in try FormArgument(text) }))
    }
  }

  private func content(of fields: [FormArgument]) throws -> RequestContent {
    guard FormArgument.needsParts(fields) else {
      let pairs = fields.compactMap { field -> (String, String)? in
        if case .text(let text) = field.content { (field.name, text) } else { nil }
      }
      return .form(FormFields(pairs))
    }
    var form = MultipartForm()
    for field in fields {
      switch field.content {
      case .text(let text): form.append(text, named: field.name)
      case .file(let path):
        try InputFile.check(path)
        try form.append(file: path, named: field.name)
      }
    }
    return .multipart(form)
  }

  private static func bytes(_ json: String) throws(ToolFailure) -> [UInt8] {
    if json == "-" { return try InputFile.bytes(of: "-") }
    guard json.utf8.first == UInt8(ascii: "@") else { return Array(json.utf8) }
    return try InputFile.bytes(of: String(json.dropFirst()))
  }
}
