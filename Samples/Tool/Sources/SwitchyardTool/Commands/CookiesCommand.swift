import ArgumentParser
import CookieKeeping
import Foundation
import Interception
import ToolCommands

struct CookiesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cookies", abstract: "Lists the cookies that --cookies keeps in a file, or removes them.",
    discussion: "Values are not shown, because they are usually credentials.")

  @Argument(help: "The file.", completion: .file()) var file: String
  @Flag(help: "Removes all cookies from the file.") var clear = false

  func run() async throws {
    try await perform { [file, clear] in
      try InputFile.check(file)
      let store = try Session.cookies(in: file)
      let cookies = store.cookies()
      if clear {
        store.removeAll()
        Terminal.note("\(Figures.count(cookies.count, "cookie")) removed")
        return
      }
      let ink = Terminal.output.ink
      try Terminal.output.lines(
        cookies.map { cookie in
          var notes = [cookie.isSecure ? "https only" : "http and https"]
          if cookie.isHTTPOnly { notes.append("HttpOnly") }
          if let sameSite = cookie.sameSite { notes.append("SameSite=\(sameSite)") }
          if let expiry = cookie.expiry { notes.append("until \(Self.text(expiry))") }
          return ink(.bold, Printable.text(cookie.name)) + "  "
            + Printable.text("\(cookie.domain)\(cookie.path)  \(notes.joined(separator: ", "))")
        })
    }
  }

  private static func text(_ time: WallTime) -> String {
    Date(timeIntervalSince1970: Double(time.seconds)).formatted(.iso8601)
  }
}
