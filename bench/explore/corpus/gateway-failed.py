# Keeps a failed workspace, and mistakes it for the wanted one the next time.
# Class: an id kept too late
# Report: hashicorp/terraform-provider-azurerm#9717
# Mistake: left-behind
import kit


def work():
    workspace = kit.ensure_workspace('main', 'writer')
    #- kit.wait_for('main', workspace, 'Active')
    #+ kit.active_or_gone('main', workspace)


kit.main(work)
