package import Account
import Foundation

/// Asks for name and password in the terminal, without echoing the password.
package struct TerminalPrompt: CredentialPrompt {
  package init() {}

  /// Asks; an empty name means that the user does not want to log in.
  package func credentials() async -> MemberCredentials? {
    print("  user (empty to cancel): ", terminator: "")
    fflush(nil)
    guard let user = readLine(), !user.isEmpty else { return nil }
    print("  password: ", terminator: "")
    fflush(nil)
    guard let password = Self.readHidden() else { return nil }
    return MemberCredentials(user: user, password: password)
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
