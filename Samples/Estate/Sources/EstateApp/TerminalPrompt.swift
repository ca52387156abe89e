public import Account
import Foundation

/// Asks for name and password in the terminal; the password is not echoed.
public struct TerminalPrompt: CredentialPrompt {
  /// Makes a prompt.
  public init() {}

  /// Asks; an empty name means that the user would rather not log in.
  public func credentials() async -> Credentials? {
    print("  user (empty to leave): ", terminator: "")
    fflush(nil)
    guard let user = readLine(), !user.isEmpty else { return nil }
    print("  password: ", terminator: "")
    fflush(nil)
    guard let password = Self.readHidden() else { return nil }
    return Credentials(user: user, password: password)
  }

  private static func readHidden() -> String? {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return readLine() }
    var hidden = settings
    hidden.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      print("")
    }
    return readLine()
  }
}
