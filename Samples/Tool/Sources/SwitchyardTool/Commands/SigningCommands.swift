import ArgumentParser
import Foundation
import HTTPTypes
import Interception
import RequestSigning
import ToolCommands

/// Where the signing key is from.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file with the key, ID:SECRET or ID:hex:DIGITS; by default the environment variable \(SigningKeyText.variable).",
      valueName: "file"),
    completion: .file())
  var keyFile: String?

  func key() throws(ToolFailure) -> SigningKey {
    if let keyFile { return try SigningKeyText.key(in: InputFile.text(of: keyFile), from: keyFile) }
    guard let text = ProcessInfo.processInfo.environment[SigningKeyText.variable], !text.isEmpty else {
      throw ToolFailure(
        .usage, "There is no signing key; set \(SigningKeyText.variable), or name a file with --key-file.")
    }
    return try SigningKeyText.key(in: text, from: SigningKeyText.variable)
  }
}

struct SignCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Signs a request, and prints the header fields of the signature.",
    discussion: """
      Nothing is sent. The fields can be passed on: switchyard sign GET URL | curl -H @- URL

      The signature covers the method, the URL, the content, and Authorization and Content-Type.
      """)

  @Argument(help: "The method.") var method: String
  @Argument(help: "The URL, with https:// or http://.") var url: String
  @Option(help: ArgumentHelp("The API that is called.", valueName: "service/name")) var api: String?
  @Option(help: ArgumentHelp("A further field that the signature covers.", valueName: "name")) var cover:
    [String] = []
  @Flag(help: "Prints the whole request as a message, which verify reads.") var message = false

  @Option(
    name: [.customShort("H"), .long],
    help: ArgumentHelp("A header field; @FILE reads one per line.", valueName: "name: value"))
  var header: [String] = []

  @OptionGroup var content: ContentOptions
  @OptionGroup var keys: KeyOptions

  func run() async throws {
    let method = try MethodArgument.method(method)
    try await perform { [self] in
      let key = try keys.key()
      var request = try Request(URLArgument.completed(url), method: method)
      try content.apply(to: &request)
      try HeaderFields.set(header, in: &request)
      let body = try await request.body.collect(upTo: 256 << 20)
      let signer = RequestSigner(key: key, covering: RequestSigner.usualFields + (try covered()))
      let fields = try signer.sign(
        request.head, api: try identity(), body: body, at: .now(), nonce: .random())
      guard message else {
        return try Terminal.output.lines(fields.map { "\($0.name.rawName): \($0.value)" })
      }
      for field in fields { request.head.headerFields.append(field) }
      try Terminal.output.write(RequestText(request.head, body: body).bytes)
    }
  }

  private func identity() throws(ToolFailure) -> APIIdentity? {
    guard let api else { return nil }
    let parts = api.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw ToolFailure(.usage, "--api needs SERVICE/NAME, such as estate/houses.list.")
    }
    return APIIdentity(service: parts[0], name: parts[1])
  }

  private func covered() throws(ToolFailure) -> [HTTPField.Name] {
    var names: [HTTPField.Name] = []
    for text in cover {
      guard let name = HTTPField.Name(text) else {
        throw ToolFailure(
          .usage, "--cover needs the name of a header field, not \"\(Printable.text(text))\".")
      }
      names.append(name)
    }
    return names
  }
}

struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verifies the signature of a request, as a server would.",
    discussion: """
      The request is a message of HTTP/1.1, such as one of sign --message or of a server's log. Whether its \
      nonce was used before is not checked. Exits with 1 if the signature is not valid.
      """)

  @Argument(help: "The file with the request; - for standard input.", completion: .file()) var file = "-"

  @Option(help: ArgumentHelp("The maximum difference of the clocks.", valueName: "seconds"))
  var window = 300

  @OptionGroup var keys: KeyOptions

  func validate() throws {
    guard (1...86_400).contains(window) else { throw ValidationError("--window must be 1 to 86400 seconds.") }
  }

  func run() async throws {
    try await perform { [self] in
      let key = try keys.key()
      let request = try RequestText(parsing: InputFile.bytes(of: file))
      let verifier = SignatureVerifier(keys: SigningKeys(key), window: .seconds(window))
      do throws(SignatureError) {
        let claims = try verifier.authenticate(SignedRequest(request.head, body: request.body))
        try report(claims)
      } catch {
        throw ToolFailure(.refused, "\(error)")
      }
    }
  }

  private func report(_ claims: SignatureClaims) throws(SignatureError) {
    let covered = claims.coveredFields.map(\.rawName).joined(separator: ", ")
    let lines = [
      Terminal.output.ink(.green, "valid"), "key: \(claims.keyID)",
      "time: \(Date(timeIntervalSince1970: Double(claims.time.seconds)).formatted(.iso8601))",
      "nonce: \(claims.nonce)", claims.api.map { "api: \(Printable.text("\($0)"))" } ?? "",
      covered.isEmpty ? "" : "covered fields: \(covered)",
    ]
    try? Terminal.output.lines(lines.filter { !$0.isEmpty })
  }
}
